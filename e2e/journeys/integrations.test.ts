import type { JsonObject } from '@airdeck/contracts/fields';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { adminOf, apiOf, sandboxState } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { untilHome } from '../src/sign-in-steps.ts';

const TENANT = 'Meridian Foods';
/** Blocked by nobody else. */
const ADDRESS = '203.0.113.84';
/** Comes with the sandbox's Graylog; nobody else deletes it. */
const NOTIFICATION = 'Mail to the team';

const demo = inject('demo');
let browser: Browser;
let page: Page;
let problems: string[];
/** What somebody has in hand who connects the sandbox: address and credentials by integration. */
let inHand: ReadonlyMap<string, JsonObject>;

beforeAll(async () => {
  browser = await launchBrowser();
  const manager = await createPerson(demo, 'SystemManager', { fullname: 'Iris Integrator', tenant: TENANT });
  ({ page, problems } = await openAs(browser, demo, manager.visitor));
  const connections = await apiOf(demo, adminOf(demo, TENANT)).call('system.demo-connections', {});
  inHand = new Map(connections.map(({ definition_id, config }) => [definition_id, config]));
});
afterAll(async () => {
  await browser?.close();
});

function fromSandbox(integration: string, field: string): string {
  const value = inHand.get(integration)?.[field];
  if (typeof value !== 'string') throw new Error(`The sandbox has no ${field} for ${integration}.`);
  return value;
}

/** Each step needs the one before. */
describe('connecting', () => {
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const tryOut = () => page.getByRole('button', { name: 'Test connection' });
  const save = (name = 'Save') => page.getByRole('button', { name, exact: true });
  /** What the test says; the message stands there until the next one begins. */
  const outcome = (words: string | RegExp) => page.getByRole('status').filter({ hasText: words });

  /** From the list through the catalogue, as somebody looks for it. */
  async function openForm(name: string, category: string): Promise<void> {
    await page.goto(`${demo.url}/integrations`);
    await page.getByRole('link', { name: 'Add integration' }).click();
    await page.getByRole('heading', { level: 1, name: 'Add an integration' }).waitFor();
    await page.getByLabel('Search the catalog').fill(name);
    const card = page.getByRole('list', { name: 'Catalog' }).getByRole('listitem').filter({ hasText: category });
    await card.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: `Connect ${name}` }).waitFor();
  }

  async function saved(name: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/integrations\/[0-9a-f-]{36}$/);
    await page.getByText('It answered the last time it was asked.').waitFor();
  }

  test('Graylog: what is missing or wrong is said where it is, and the test is green before anything is saved', async () => {
    await openForm('Graylog', 'SIEM');
    await tryOut().click();
    await page.getByText('2 fields need another look.').waitFor();
    const address = field('Address of the API');
    expect(await address.evaluate((field) => field.matches(':focus'))).toBe(true);
    await address.fill(fromSandbox('graylog', 'base_url'));
    await field('Access token').fill('a token of somebody else');
    await tryOut().click();
    await outcome('Graylog refused the credentials (HTTP 401)').waitFor();
    await save('Save although the test failed').waitFor();
    await look(page, 'form of an integration, refused');

    await field('Access token').fill(fromSandbox('graylog', 'api_token'));
    await outcome('The configuration was changed after this test.').waitFor();
    await tryOut().click();
    await outcome('Success').waitFor();
    expect(await connectorNames()).not.toContain('Graylog');
    await save().click();
    await saved('Graylog');
  });

  test('VirusTotal: its own words tell that the key is wrong', async () => {
    await openForm('VirusTotal', 'Threat intelligence');
    await field('Address of the API').fill(fromSandbox('virustotal', 'base_url'));
    await field('API key').fill('0000');
    await tryOut().click();
    await outcome(/VirusTotal refused the credentials \(HTTP 401\): WrongCredentialsError: Wrong API key/).waitFor();
    await field('API key').fill(fromSandbox('virustotal', 'api_key'));
    await tryOut().click();
    await outcome('The key works.').waitFor();
    await save().click();
    await saved('VirusTotal');
  });

  test('a second FortiGate: filled in by one button, under a name of its own', async () => {
    await openForm('FortiGate', 'Network');
    await page.getByRole('button', { name: 'Fill in the sandbox' }).click();
    expect(await field('Address of the firewall').inputValue()).toBe(fromSandbox('fortigate', 'base_url'));
    await field('Name').fill('FortiGate branch');
    await tryOut().click();
    await outcome('Connected to FortiOS').waitFor();
    await save().click();
    await saved('FortiGate branch');
  });

  test('all of them stand in the list, active, and no secret is anywhere in it', async () => {
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Integrations' }).click();
    for (const name of ['Graylog', 'VirusTotal', 'FortiGate branch', 'FortiGate HQ (sandbox)']) {
      await row(name).filter({ hasText: 'Active' }).waitFor();
    }
    for (const [integration, field] of [
      ['graylog', 'api_token'],
      ['virustotal', 'api_key'],
      ['fortigate', 'api_token'],
    ] as const) {
      expect(await page.content()).not.toContain(fromSandbox(integration, field));
    }
    await look(page, 'integrations');
  });
});

/** Each step needs the connectors of before. */
describe('acting', () => {
  const drawer = () => page.getByRole('dialog').filter({ has: page.getByRole('region', { name: 'Recent runs' }) });
  const result = () => drawer().getByRole('region', { name: 'Result' });
  const run = () => drawer().getByRole('button', { name: 'Run', exact: true });

  async function openAction(name: string, product: string): Promise<Locator> {
    await page.goto(`${demo.url}/actions`);
    await page.getByLabel('Search actions').fill(`${product} ${name}`);
    await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await drawer().getByText(name).first().waitFor();
    return drawer();
  }

  /** Everything is where it was: the result came by itself. */
  async function succeeds(...words: string[]): Promise<void> {
    await result().getByText('Success', { exact: true }).waitFor();
    for (const text of words) await result().getByText(text).first().waitFor();
  }

  test('Graylog is read, and its answer appears in the drawer', async () => {
    await openAction('Get system', 'Graylog');
    await run().click();
    await succeeds('lifecycle', 'version');
    await look(page, 'action with its result');
  });

  test('VirusTotal is asked for an address; one that is none is refused at its field', async () => {
    const form = await openAction('IP address report', 'VirusTotal');
    await run().click();
    await form.getByText('One field needs another look.').waitFor();
    await form.getByRole('textbox', { name: 'IP address', exact: true }).fill(ADDRESS);
    await run().click();
    await succeeds('found', ADDRESS);
  });

  test('an address is blocked on the firewall that was chosen', async () => {
    const form = await openAction('Block address', 'FortiGate');
    await form.getByRole('textbox', { name: 'IPv4 address', exact: true }).fill(ADDRESS);
    await form.getByLabel('Connector', { exact: true }).selectOption({ label: 'FortiGate branch' });
    await run().click();
    await succeeds(`airdeck-${ADDRESS}`);
    const { fortigate } = await sandboxState(demo);
    expect(fortigate.addresses.map(({ subnet }) => subnet)).toContain(`${ADDRESS} 255.255.255.255`);
  });

  test('what destroys is asked about first: left, nothing happens; confirmed, it happens once', async () => {
    // Others delete notifications of their own.
    const { notifications } = (await sandboxState(demo)).graylog;
    const path = `/events/notifications/${notifications.find(({ title }) => title === NOTIFICATION)?.id}`;
    const deletions = async () =>
      (await sandboxState(demo)).calls.filter((call) => call.method === 'DELETE' && call.path.endsWith(path));
    const form = await openAction('Delete notification', 'Graylog');
    await form.getByRole('textbox', { name: 'Notification', exact: true }).fill(NOTIFICATION);
    await run().click();
    const question = page.getByRole('dialog', { name: /Delete notification/ }).filter({ hasNotText: 'Recent runs' });
    await question.getByText(`Notification “${NOTIFICATION}”`).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).last().click();
    await question.waitFor({ state: 'detached' });
    await form.getByText('It has not run in this tenant yet.').waitFor();
    expect(await deletions()).toEqual([]);

    await run().click();
    await question.getByRole('button', { name: 'Run', exact: true }).click();
    await succeeds('changed');
    expect(await deletions()).toHaveLength(1);
  });
});

describe('what was run', () => {
  const list = () => page.getByRole('region', { name: 'Action runs' });
  const panel = () => page.getByRole('dialog').filter({ hasText: 'Attempts' });

  async function choose(facet: string, option: string): Promise<void> {
    await page.getByRole('button', { name: facet }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: option }).click();
    await page.keyboard.press('Escape');
  }

  test('is found by its name, state and type', async () => {
    await page.goto(`${demo.url}/actions`);
    await page.getByRole('main').getByRole('link', { name: 'Action runs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Action runs' }).waitFor();
    await choose('Status', 'Success');
    await choose('Type', 'On its own');
    for (const name of ['Get system', 'IP address report', 'Block address', 'Delete notification']) {
      await list().getByText(name, { exact: true }).first().waitFor();
    }
    // Nothing is left of what playbooks ran.
    await list().getByText('Playbook', { exact: true }).first().waitFor({ state: 'detached' });
    await page.getByLabel('Search by action').fill('virustotal');
    await list().getByText('Get system').first().waitFor({ state: 'detached' });
    await list().getByText('IP address report').first().click();
  });

  test('shows what went in and what came out', async () => {
    await panel().getByText('Success', { exact: true }).waitFor();
    const input = panel().getByRole('region', { name: 'Input', exact: true });
    await input.getByText(ADDRESS).waitFor();
    await panel().getByRole('region', { name: 'Output', exact: true }).getByText('found').waitFor();
    await look(page, 'action run');
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
  });

  test('and what nothing fits says so, with the way back', async () => {
    await choose('Status', 'Error');
    await choose('Status', 'Success');
    await page.getByText('No action matches').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await list().getByText('Get system').first().waitFor();
  });
});

describe('taking away', () => {
  test('an integration is deleted only after the question, which names it', async () => {
    await page.goto(`${demo.url}/integrations`);
    await row('VirusTotal').click();
    const remove = page.getByRole('button', { name: 'Delete…' });
    const question = page.getByRole('dialog', { name: 'Delete VirusTotal?' });
    await remove.click();
    await question.getByText('Its configuration and secrets are deleted').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).last().click();
    await question.waitFor({ state: 'detached' });
    expect(await connectorNames()).toContain('VirusTotal');

    await remove.click();
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('VirusTotal deleted').waitFor();
    await row('Graylog').waitFor();
    await row('VirusTotal').waitFor({ state: 'detached' });
    expect(await connectorNames()).not.toContain('VirusTotal');
  });

  test('somebody who may only read sees the list and finds no way in', async () => {
    const { id } = await connectorOf('Graylog');
    const reader = await openAs(browser, demo, (await createPerson(demo, 'ReadOnly', { tenant: TENANT })).visitor);
    await reader.page.goto(`${demo.url}/home`);
    await untilHome(reader.page);
    const rail = reader.page.getByRole('navigation');
    expect(await rail.getByRole('link', { name: 'Action catalog' }).count()).toBe(0);
    await rail.getByRole('link', { name: 'Integrations' }).click();
    const graylog = reader.page.getByRole('row').filter({ has: reader.page.getByText('Graylog', { exact: true }) });
    await graylog.waitFor();
    expect(await reader.page.getByRole('link', { name: 'Add integration' }).count()).toBe(0);
    expect(await reader.page.getByRole('button', { name: 'Add integration' }).isDisabled()).toBe(true);
    await graylog.click();
    expect(new URL(reader.page.url()).pathname).toBe('/integrations');
    for (const path of [`/integrations/${id}`, '/integrations/new', '/integrations/new/graylog', '/actions']) {
      await reader.page.goto(`${demo.url}${path}`);
      await reader.page.getByText('which does not include this screen').waitFor();
      expect(new URL(reader.page.url()).pathname, path).toBe('/unauthorized');
    }
    expect(reader.problems).toEqual([]);
    await reader.context.close();
  });

  test('the browser had nothing to complain about but the questions it was asked', () => {
    expect(problems.filter((problem) => !/status of 449/.test(problem))).toEqual([]);
  });
});

function row(name: string): Locator {
  return page
    .getByRole('region', { name: 'Integrations' })
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) });
}

async function connectors() {
  const admin = adminOf(demo, TENANT);
  return await apiOf(demo, admin).call('connectors.list', { params: { tenant: admin.tenant } });
}

async function connectorNames(): Promise<string[]> {
  return (await connectors()).map(({ name }) => name);
}

async function connectorOf(wanted: string) {
  const found = (await connectors()).find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`There is no connector ${wanted}.`);
  return found;
}
