import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { adminOf, apiOf } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { untilHome } from '../src/sign-in-steps.ts';

/** Nobody else's events, in any journey. */
const HOST = `quarry-${randomBytes(4).toString('hex')}`;
const REPORT = `Gate ${HOST}`;
const SCHEDULE = `Week of ${HOST}`;
const EVENTS = 120;

const demo = inject('demo');
const admin = adminOf(demo, 'Meridian Foods');
const api = apiOf(demo, admin);
const params = { tenant: admin.tenant };
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  await sendEvents();
  const person = await createPerson(demo, 'Analyst', { fullname: 'Rita Report' });
  ({ page, problems } = await openAs(browser, demo, person.visitor));
});
afterAll(async () => {
  await browser?.close();
});

/** One of them is what a spreadsheet would run. */
async function sendEvents(): Promise<void> {
  const { id, token } = await api.call('sources.create', { params, body: { name: 'Quarry', kind: 'ndjson' } });
  const lines = Array.from({ length: EVENTS }, (_, n) => ({
    time: new Date(Date.now() - n * 1_000).toISOString(),
    host: HOST,
    message: n === 7 ? '=HYPERLINK("http://example.com","open")' : `Lorry ${n} weighed`,
  }));
  const answer = await fetch(`${demo.url}/api/${admin.tenant}/event/ingest/${id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  expect(await answer.json()).toMatchObject({ accepted: EVENTS, rejected: 0 });
  await vi.waitFor(
    async () => {
      const time_range = { start: new Date(Date.now() - 86_400_000).toISOString(), end: new Date().toISOString() };
      const { total } = await api.call('search.run', { params, body: { query: `host:${HOST}`, time_range } });
      expect(total.value).toBe(EVENTS);
    },
    { timeout: 30_000, interval: 200 },
  );
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const dialog = () => page.getByRole('dialog');

/** Each step needs the one before. */
describe('a search', () => {
  test('is exported from the search screen', async () => {
    await page.goto(`${demo.url}/home`);
    await untilHome(page);
    await page.goto(`${demo.url}/search?query=${encodeURIComponent(`host:${HOST}`)}`);
    await heading('Search').waitFor();
    await page
      .getByRole('row', { name: /weighed/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog().getByLabel('Name').fill(REPORT);
    await look(page, 'export dialog');
    await dialog().getByRole('button', { name: 'Export', exact: true }).click();
    await dialog().getByRole('link', { name: 'Open search reports' }).click();
    await heading('Search reports').waitFor();
  });

  test('becomes a file that shows how many events it has and who made it', async () => {
    await dialog().getByRole('button', { name: 'Download' }).waitFor();
    await dialog().getByText(`host:${HOST}`).waitFor();
    await look(page, 'report beside the list');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: new RegExp(REPORT) });
    await row.getByText('120', { exact: true }).waitFor();
    await row.getByText('CSV', { exact: true }).waitFor();
    await look(page, 'search reports');
  });

  test('is downloaded as a CSV that runs nothing', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${REPORT}` }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${REPORT}.csv`);
    const text = await readFile(await file.path(), 'utf8');
    expect(text.trimEnd().split('\r\n')).toHaveLength(EVENTS + 1);
    expect(text).toContain(`"'=HYPERLINK(""http://example.com"",""open"")"`);
    await heading('Search reports').waitFor();
  });

  test('is made again, and what is not needed is deleted', async () => {
    await page.getByText(REPORT, { exact: true }).click();
    await dialog().getByRole('button', { name: 'Run again' }).click();
    await vi.waitFor(
      async () => expect(await page.getByRole('row', { name: new RegExp(REPORT) }).count()).toBe(2),
      30_000,
    );
    await dialog().getByRole('button', { name: 'Download' }).waitFor();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete report' }).click();
    await vi.waitFor(
      async () => expect(await page.getByRole('row', { name: new RegExp(REPORT) }).count()).toBe(1),
      30_000,
    );
  });
});

test('a schedule is made, shown with its next time, changed and deleted', async () => {
  await page.goto(`${demo.url}/report/air`);
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByRole('button', { name: 'New schedule' }).click();
  await dialog().getByLabel('Name').fill(SCHEDULE);
  await dialog().getByLabel('Search').fill(`host:${HOST} AND (`);
  await dialog().getByLabel('How often').selectOption('weekly');
  await dialog().getByRole('button', { name: 'Make schedule' }).click();
  await dialog().getByLabel('Search').and(page.locator('[aria-invalid="true"]')).waitFor();
  await dialog().getByLabel('Search').fill(`host:${HOST}`);
  await look(page, 'schedule form');
  await dialog().getByRole('button', { name: 'Make schedule' }).click();
  const row = page.getByRole('row', { name: new RegExp(SCHEDULE) });
  await row.getByText('Every Monday at 06:00').waitFor();
  await look(page, 'schedules');
  await row.click();
  await dialog().getByRole('switch', { name: 'Switched on' }).click();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await row.getByText('Switched off').waitFor();
  await row.click();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete schedule' }).click();
  await row.waitFor({ state: 'detached' });
});

test('nothing went wrong in the browser on the way', () => {
  // The search that was refused is what the browser itself calls an error.
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});
