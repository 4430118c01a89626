import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { adminOf, apiOf } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';

const TENANT = 'Meridian Foods';
/** Nobody else's words, so that other journeys' events are never found here. */
const MARK = randomBytes(3).toString('hex');
const HOST = `harbor-gate-${MARK}`;
const NEEDLE = `zanzibar-lighthouse-${MARK}`;
const HAY = 240;

const demo = inject('demo');
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  await sendHay();
  const person = await createPerson(demo, 'Analyst', { fullname: 'Sam Search' });
  ({ page, problems } = await openAs(browser, demo, person.visitor));
});
afterAll(async () => {
  await browser?.close();
});

type Line = { time: string; host: string; user: string; message: string; lane: string };

/** Most events are of the last hours, one each minute; the needle and its neighbours are an hour old. */
function hay(now: number): Line[] {
  return Array.from({ length: HAY }, (_, index) => ({
    time: new Date(now - index * 60_000).toISOString(),
    host: HOST,
    user: index % 3 === 0 ? 'ines.harbor' : 'olaf.harbor',
    message: index === 60 ? `Crane opened by ${NEEDLE}` : `Crane ${index} moved`,
    lane: index % 40 === 0 ? 'north' : 'south',
  }));
}

async function sendHay(): Promise<void> {
  const admin = adminOf(demo, TENANT);
  const api = apiOf(demo, admin);
  const params = { tenant: admin.tenant };
  const { id, token } = await api.call('sources.create', { params, body: { name: `Harbor ${MARK}`, kind: 'ndjson' } });
  const answer = await fetch(`${demo.url}/api/${admin.tenant}/event/ingest/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: hay(Date.now())
      .map((line) => JSON.stringify(line))
      .join('\n'),
  });
  expect(await answer.json()).toMatchObject({ accepted: HAY, rejected: 0 });
  await vi.waitFor(
    async () => {
      const time_range = { start: new Date(Date.now() - 86_400_000).toISOString(), end: new Date().toISOString() };
      const { total } = await api.call('search.run', { params, body: { query: `host:${HOST}`, time_range } });
      expect(total.value).toBe(HAY);
    },
    { timeout: 30_000, interval: 200 },
  );
}

const heading = () => page.getByRole('heading', { level: 1, name: 'Search' });
const drawer = () => page.getByRole('dialog');
const found = (count: number) => page.getByText(new RegExp(`of ${count} (stored )?events?$`)).waitFor();
const rowOf = (text: string) => page.getByRole('row', { name: new RegExp(text) }).first();

async function searchFor(query: string): Promise<void> {
  await page.locator('body').press('/');
  // The first press loads it.
  await page.locator('.cm-content:focus').waitFor();
  await page.keyboard.press('Control+A');
  // As one input, as pasted: typed letter by letter, offers come and go.
  await page.keyboard.insertText(query);
  await page.keyboard.press('Enter');
}

/** Each step needs the one before. */
describe('a needle', () => {
  test('is found by a query, by keyboard alone', async () => {
    await page.goto(`${demo.url}/home`);
    await page.getByRole('navigation').getByRole('link', { name: 'Search', exact: true }).press('Enter');
    await heading().waitFor();
    await searchFor(`"${NEEDLE}"`);
    await found(1);
    await rowOf(NEEDLE).waitFor();
    expect(new URL(page.url()).searchParams.get('query')).toContain(NEEDLE);
  });

  test('is shown in full, and leads on', async () => {
    await heading().click();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await drawer().getByText(`Crane opened by ${NEEDLE}`).first().waitFor();
    await look(page, 'event beside the list');
    await drawer().getByRole('tab', { name: 'Raw' }).click();
    await drawer()
      .getByRole('region', { name: /^Raw line/ })
      .getByText(NEEDLE)
      .waitFor();
    await drawer().getByRole('tab', { name: 'JSON' }).click();
    await drawer().getByRole('region', { name: /^JSON/ }).getByText('lane', { exact: true }).waitFor();
    await drawer().getByRole('tab', { name: 'Fields' }).click();
    await drawer()
      .getByRole('button', { name: `What to do with host ${HOST}` })
      .click();
    await page.getByRole('menuitem', { name: 'Search this value everywhere' }).click();
    await found(HAY);
  });

  test('is found by the values of a field, which become chips', async () => {
    await look(page, 'search');
    await page.getByLabel('Find a field').fill('lane');
    await page.getByRole('button', { name: /^lane/ }).click();
    await page.getByRole('button', { name: 'Only lane north' }).click();
    await found(6);
    await page.getByRole('button', { name: 'lane is north', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Turn round/ }).click();
    await found(HAY - 6);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await drawer().locator('input').first().fill('message');
    await drawer().getByLabel('Condition').selectOption('contains');
    await drawer().getByLabel('Value').fill('lighthouse');
    await look(page, 'a new filter');
    await drawer().getByRole('button', { name: 'Add filter' }).click();
    await found(1);
    await rowOf(NEEDLE).waitFor();
  });

  test('is found again under the name the search was saved with', async () => {
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('button', { name: 'Save this search' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this search' });
    await dialog.getByLabel('Name').fill('Harbor needle');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Harbor needle' }).waitFor();
    await page.goto(`${demo.url}/search`);
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByRole('button', { name: /^Harbor needle/ }).click();
    await found(1);
    await page.getByRole('button', { name: 'Remove message contains lighthouse' }).waitFor();
  });
});

describe('a search', () => {
  test('narrows to the stretch that is drawn over the chart', async () => {
    await page.goto(`${demo.url}/search?query=host:${HOST}`);
    await found(HAY);
    const chart = page.getByRole('slider', { name: /^Stretch of time/ });
    const box = await chart.boundingBox();
    if (box === null) throw new Error('There is no chart.');
    // Four of the last 24 hours hold everything: the right twelfth is about half of it.
    await page.mouse.move(box.x + box.width * 0.93, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + 30, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/timeRange/);
    await page.getByText(new RegExp(`of (?!${HAY} )\\d+ (stored )?events$`)).waitFor();
    await chart.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Time range: (?!Last)/ }).waitFor();
  });

  test('that cannot be read says where and why, and what would be right', async () => {
    await searchFor('(crane AND host:');
    await page
      .getByRole('alert')
      .getByText(/^Character \d+/)
      .waitFor();
    await look(page, 'query with a problem');
    await searchFor('user:/(?=x)/');
    await page
      .getByRole('alert')
      .getByText(/not a regular expression/)
      .waitFor();
  });

  test('shows what comes in while it is tailed', async () => {
    await page.goto(`${demo.url}/search?query=host:${HOST}-live&live=true`);
    await page.getByText('Waiting for events').waitFor();
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    const admin = adminOf(demo, TENANT);
    const api = apiOf(demo, admin);
    const params = { tenant: admin.tenant };
    const { id, token } = await api.call('sources.create', {
      params,
      body: { name: `Harbor live ${MARK}`, kind: 'ndjson' },
    });
    await fetch(`${demo.url}/api/${admin.tenant}/event/ingest/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ time: new Date().toISOString(), host: `${HOST}-live`, message: 'Crane is alive' }),
    });
    await rowOf('Crane is alive').waitFor();
    await look(page, 'live tail');
  });

  test('the browser had nothing to complain about but what was refused', () => {
    // Where typing replaces coloured words, the browser itself writes style attributes; refused, and drawn anew by the editor.
    const ofTyping = /^Applying inline style violates|^style-src-attr inline\s+:0:0$/;
    for (const each of problems.splice(0)) if (!ofTyping.test(each)) problems.push(each);
    expect(problems.filter((each) => !each.includes('status of 400'))).toEqual([]);
  });
});
