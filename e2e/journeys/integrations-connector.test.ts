import type { JsonObject } from '@airdeck/contracts/fields';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { adminOf, apiOf } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';

const TENANT = 'Harbor Clinics';
/** What this journey's connectors are called; nobody else's are. */
const FIREWALL = 'FortiGate harbor';
const RENAMED = 'FortiGate pier 4';
const LOGS = 'Graylog harbor';
/** Writes messages to the sandbox's Graylog that nobody else asks for. */
const SENDER = 'pier-4-gate';

const demo = inject('demo');
const admin = adminOf(demo, TENANT);
const api = apiOf(demo, admin);
const params = { tenant: admin.tenant };
let browser: Browser;
let page: Page;
let problems: string[];
/** What the sandbox is reached with. */
let inHand: ReadonlyMap<string, JsonObject>;
/** Id of the connector by what it was called first. */
const ids = new Map<string, string>();

beforeAll(async () => {
  browser = await launchBrowser();
  const connections = await api.call('system.demo-connections', {});
  inHand = new Map(connections.map(({ definition_id, config }) => [definition_id, config]));
  // As it is after a token ran out.
  await connect(FIREWALL, 'fortigate', { api_token: 'a token that ran out' });
  await connect(LOGS, 'graylog', {});
  const manager = await createPerson(demo, 'SystemManager', { fullname: 'Kay Keeper', tenant: TENANT });
  ({ page, problems } = await openAs(browser, demo, manager.visitor));
});
afterAll(async () => {
  await browser?.close();
});

async function connect(name: string, definition: string, more: JsonObject): Promise<void> {
  const config = { ...inHand.get(definition), ...more };
  const { id } = await api.call('connectors.put', { params, body: { definition_id: definition, name, config } });
  ids.set(name, id);
}

const idOf = (name: string) => ids.get(name) ?? '';

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const part = (name: string) =>
  page.getByRole('navigation', { name: 'Parts of the integration' }).getByRole('link', { name });

async function open(name: string, panel?: 'health' | 'settings'): Promise<void> {
  await page.goto(`${demo.url}/integrations/${idOf(name)}${panel === undefined ? '' : `?panel=${panel}`}`);
}

/** Saves what was changed, and waits until nothing is left to save. */
async function save(): Promise<void> {
  await button('Save changes').click();
  await page.getByText('Changes saved').first().waitFor();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
}

/** Each step needs the one before. */
describe('a firewall whose token ran out', () => {
  const newToken = () => field('API token');
  const outcome = (words: string) => page.getByRole('status').filter({ hasText: words });

  test('says so, and gets a new one that is tried before it is kept', async () => {
    await open(FIREWALL);
    await page.getByText('The last try failed. It is tried again by itself, so that it can recover.').waitFor();
    await outcome('refused the credentials (HTTP 401)').waitFor();
    await look(page, 'integration that does not answer');

    await part('Settings').click();
    await button('Replace api token').click();
    await newToken().fill('another wrong one');
    await button('Test connection').click();
    await outcome('refused the credentials (HTTP 401)').waitFor();
    // Kept after all: what was typed is gone, and there is nothing to save.
    await button('Keep the saved api token').click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });

    await button('Replace api token').click();
    await newToken().fill(fromSandbox('fortigate', 'api_token'));
    await button('Test connection').click();
    await outcome('Connected to FortiOS').waitFor();
    await save();
    await button('Replace api token').waitFor();
    expect(await page.content()).not.toContain(fromSandbox('fortigate', 'api_token'));
    await part('Overview').click();
    await page.getByText('It answered the last time it was asked.').waitFor();
  });

  test('is not led to another host with the token that was saved for this one', async () => {
    await part('Settings').click();
    await field('Address of the firewall').fill('https://firewall.elsewhere.example');
    await button('Save changes').click();
    await page
      .getByText(/was saved for .* and is not sent anywhere else\. Enter it again\./)
      .first()
      .waitFor();
    await button('Discard').click();
    expect(await field('Address of the firewall').inputValue()).toBe(fromSandbox('fortigate', 'base_url'));
  });

  test('is given another name, which is its own; leaving before it is saved asks first', async () => {
    await field('Name').fill(' ');
    await button('Save changes').click();
    await page.getByText('Enter a name.').waitFor();
    await field('Name').fill(LOGS.toUpperCase());
    await button('Save changes').click();
    await page.getByText(`There is already a connector named "${LOGS.toUpperCase()}".`).waitFor();
    // Reading it again would not help.
    expect(await button('Load it again, keep what I typed').count()).toBe(0);

    await field('Name').fill(RENAMED);
    await part('Health').click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).last().click();
    await question.waitFor({ state: 'detached' });
    expect(await field('Name').inputValue()).toBe(RENAMED);
    await save();
    await heading(RENAMED).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Integrations' }).first().click();
    await row(RENAMED).waitFor();
    expect(await row(FIREWALL).count()).toBe(0);
  });

  test('paused it is asked nothing and offered for nothing; resumed it goes on', async () => {
    await row(RENAMED).click();
    await heading(RENAMED).waitFor();
    await button('Pause').click();
    await page.getByText('Nothing calls it until it is resumed. Events go on where they stopped.').waitFor();
    await part('Health').click();
    await fact('Next test').filter({ hasText: 'None due' }).waitFor();
    await look(page, 'health of a paused integration');
    await page.goto(`${demo.url}/actions?action=fortigate.block_address`);
    const offered = page.getByRole('option', { name: `${RENAMED} · paused` });
    await offered.waitFor({ state: 'attached' });
    expect(await offered.isDisabled()).toBe(true);

    await open(FIREWALL);
    await button('Resume').click();
    await page.getByText('It answered the last time it was asked.').waitFor();
    await page.goto(`${demo.url}/actions?action=fortigate.block_address`);
    const again = page.getByRole('option', { name: RENAMED, exact: true });
    await again.waitFor({ state: 'attached' });
    expect(await again.isDisabled()).toBe(false);
  });

  test('a test by hand is in its history', async () => {
    await open(FIREWALL);
    await button('Test now').click();
    await page.getByText('Connected to FortiOS').first().waitFor();
    await part('Health').click();
    await checks().filter({ hasText: 'By hand' }).filter({ hasText: 'Connected to FortiOS' }).first().waitFor();
    // What it said with the old token is still told.
    await checks().filter({ hasText: 'VENDOR_CREDENTIALS_REFUSED' }).first().waitFor();
  });

  test('is deleted after a question that names it', async () => {
    await part('Overview').click();
    await button('Delete…').click();
    const question = page.getByRole('dialog', { name: `Delete ${RENAMED}?` });
    await question.getByText('Its configuration and secrets are deleted and cannot be brought back.').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await heading(RENAMED).waitFor();
    await button('Delete…').click();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`${RENAMED} deleted`).waitFor();
    await row(LOGS).waitFor();
    await row(RENAMED).waitFor({ state: 'detached' });
    // An address somebody kept says that it is gone.
    await open(FIREWALL);
    await page.getByText('Unable to load integration details.').waitFor();
  });
});

/** Each step needs the one before. */
describe('the options of a Graylog', () => {
  test('events: its form says what is wrong, and what it asks for comes in', async () => {
    await write('The gate opens', 'The gate closes');
    await open(LOGS, 'settings');
    await page.getByLabel('Fetch events').check();
    expect(await field('Hours to look back at the start').inputValue()).toBe('24');
    expect(await field('Query').inputValue()).toBe('*');
    await field('Query').fill(`source:${SENDER}`);
    await field('Stream').fill('firewall');
    await field('Seconds to wait for late messages').fill('4000');
    await button('Save changes').click();
    await page.getByText('2 fields need another look.').waitFor();
    expect(await field('Stream').evaluate((input) => input.matches(':focus'))).toBe(true);
    await look(page, 'options of events, not taken');
    await field('Stream').fill('');
    await field('Seconds to wait for late messages').fill('0');
    await save();
    await part('Health').click();
    await shown(() => checks().filter({ hasText: '2 events fetched.' }));
    await part('Overview').click();
    await shown(() => fact('Events in 24 h').filter({ hasText: '2' }));
    await fact('Events', true).filter({ hasText: 'Fetched' }).waitFor();
  });

  test('are there when somebody looks again', async () => {
    await open(LOGS, 'settings');
    await expect.poll(() => field('Query').inputValue()).toBe(`source:${SENDER}`);
    expect(await page.getByLabel('Fetch events').isChecked()).toBe(true);
    expect(await field('Seconds to wait for late messages').inputValue()).toBe('0');
    expect(await field('Stream').inputValue()).toBe('');
  });

  test('metrics: figures of the node stand with its health', async () => {
    await page.getByLabel('Fetch metrics').check();
    await save();
    await part('Health').click();
    await shown(() => fact('Throughput per second'));
    await fact('Journal limit').filter({ hasText: 'B' }).waitFor();
    await look(page, 'health with metrics');
  });

  test('switched off, nothing is fetched any more', async () => {
    await part('Settings').click();
    await page.getByLabel('Fetch events').uncheck();
    await page.getByLabel('Fetch metrics').uncheck();
    expect(await field('Query').count()).toBe(0);
    await save();
    await part('Overview').click();
    for (const name of ['Events', 'Metrics']) await fact(name, true).filter({ hasText: 'Not fetched' }).waitFor();
    await part('Health').click();
    for (const name of ['Next fetch of events', 'Next fetch of metrics']) {
      await fact(name).filter({ hasText: 'None due' }).waitFor();
    }
  });

  test('the browser had nothing to complain about but the questions and refusals it was asked for', () => {
    // React tells of the failed load that the screen of what is gone is drawn for.
    const ofGone = /^ApiError: This connector does not exist/;
    for (const problem of problems.splice(0)) if (!ofGone.test(problem)) problems.push(problem);
    expect(problems.filter((problem) => !/status of (400|404|409|449)/.test(problem))).toEqual([]);
  });
});

function fromSandbox(integration: string, key: string): string {
  const value = inHand.get(integration)?.[key];
  if (typeof value !== 'string') throw new Error(`The sandbox has no ${key} for ${integration}.`);
  return value;
}

function row(name: string): Locator {
  return page
    .getByRole('region', { name: 'Integrations' })
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });
}

/** Rows of tests and fetches. */
function checks(): Locator {
  return page.getByRole('region', { name: 'Tests and fetches' }).getByRole('row');
}

/** A line of facts, by its name. */
function fact(name: string, exact = false): Locator {
  return page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.locator('dt').getByText(name, { exact }) });
}

/** Fetches begin in their own time, and no change of them is announced. */
async function shown(what: () => Locator): Promise<void> {
  await expect
    .poll(
      async () => {
        const count = await what().count();
        if (count === 0) await page.reload();
        await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
        return await what().count();
      },
      { timeout: 90_000, interval: 2000 },
    )
    .toBeGreaterThan(0);
}

async function write(...messages: string[]): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${demo.ports.sandbox}/graylog/sandbox/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(messages.map((message) => ({ source: SENDER, message }))),
  });
  expect(answer.status).toBe(200);
}
