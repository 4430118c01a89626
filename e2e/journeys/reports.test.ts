import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';

const demo = inject('demo');
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  const admin = await createPerson(demo, 'Admin', { fullname: 'Rae Reporter' });
  ({ page, problems } = await openAs(browser, demo, admin.visitor));
});
afterAll(() => browser?.close());

async function saved(button: string): Promise<Buffer> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return await readFile(await (await waiting).path());
}

test('the log-collection report shows what came in, in the time the address says, and each table is a file', async () => {
  await page.goto(`${demo.url}/report/graylog`);
  await page.getByRole('heading', { level: 2, name: 'Busiest hosts' }).waitFor();
  await page.getByRole('cell', { name: 'Syslog' }).first().waitFor();
  const csv = (await saved('Download the sources as CSV')).toString();
  expect(csv.split('\r\n').length).toBeGreaterThan(2);

  await page.getByLabel('Period').selectOption('Last 7 days');
  await page.waitForURL(/start_time=/);
  await page.getByLabel('Period').selectOption('Custom range…');
  await page.getByLabel('First day', { exact: true }).fill('02/02/2026');
  await page.getByLabel('Last day', { exact: true }).fill('02/01/2026');
  await page.getByRole('button', { name: 'Show this period' }).click();
  await page.getByText('The last day must not be before the first.').waitFor();
});

test('an executive report is asked for, made and opened as a PDF, and goes to nobody once it is deleted', async () => {
  await page.goto(`${demo.url}/mdr/executive-reports`);
  await page.getByRole('button', { name: 'Make a report' }).first().click();
  await look(page, 'making an executive report');
  const dialog = page.getByRole('dialog');
  const months = await dialog.getByLabel('Month').locator('option').allTextContents();
  await dialog.getByLabel('Month').selectOption({ label: months.at(-1) ?? '' });
  await dialog.getByRole('button', { name: 'Make report' }).click();
  const download = page.getByRole('button', { name: /^Download / });
  await download.first().waitFor();
  const waiting = page.waitForEvent('download');
  await download.first().click();
  const pdf = await readFile(await (await waiting).path());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');

  await page
    .getByRole('button', { name: /^Delete .*…$/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Delete report' }).click();
  await page.getByText('Report deleted').waitFor();
});

test('an Admin decides that it is made each month', async () => {
  await page.getByRole('button', { name: 'Each month…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Make the report of a month when it is over').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Each month…' }).click();
  await page.getByText('The next one is made on').waitFor();
  expect(problems).toEqual([]);
});
