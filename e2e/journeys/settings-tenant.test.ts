import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { adminOf, apiOf } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';

/** Nobody else's journeys are in this tenant, so that its switches disturb nobody. */
const tenant = 'Harbor Clinics';
const demo = inject('demo');
let browser: Browser;
/** An Admin's browser; all steps of this file are this person's. */
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  const admin = await createPerson(demo, 'Admin', { fullname: 'Avery Admin', tenant });
  ({ page } = await openAs(browser, demo, admin.visitor));
});
afterAll(async () => {
  await browser?.close();
});

async function roleOf(email: string): Promise<string | undefined> {
  const admin = adminOf(demo, tenant);
  const users = await apiOf(demo, admin).call('users.list', { params: { tenant: admin.tenant }, query: {} });
  return users.find(({ uname }) => uname === email)?.role;
}

const open = (path: string) => page.goto(`${demo.url}${path}`);

test('a role is changed after the question names person and both roles, and counts at once', async () => {
  const person = await createPerson(demo, 'Analyst', { fullname: 'Casey Changed', tenant });
  const other = await openAs(browser, demo, person.visitor);
  await other.page.goto(`${demo.url}/settings/profile`);
  await other.page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();

  await open('/settings/tenant-settings?q=Casey');
  await page.getByRole('row', { name: /Casey Changed/ }).click();
  await page.getByLabel('New role').selectOption('ReadOnly');
  await page.getByRole('button', { name: 'Change role…' }).click();
  const question = page.getByRole('dialog', { name: 'Change the role?' });
  await question.getByText(/Casey Changed .* is Analyst in Harbor Clinics now and becomes Read Only/).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).last().click();
  await question.waitFor({ state: 'detached' });
  expect(await roleOf(person.email)).toBe('Analyst');
  await page.getByRole('button', { name: 'Change role…' }).click();
  await question.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('Casey Changed is now Read Only').waitFor();
  expect(await roleOf(person.email)).toBe('ReadOnly');

  await other.page.reload();
  await other.page.getByRole('button', { name: 'Account of Casey Changed' }).click();
  await other.page.getByText('Read Only', { exact: true }).first().waitFor();
  await other.context.close();
});

test('the kill switch is asked about, and a banner says above every screen that automation is off', async () => {
  await open('/settings/tenant-settings?panel=automation');
  await page.getByRole('button', { name: 'Switch off…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch automation off' }).click();
  const banner = page.getByText('Automation is off: cases are opened, but nothing answers them by itself.');
  await banner.waitFor();
  await open('/home');
  await banner.waitFor();
  await page.getByRole('link', { name: 'Automation settings' }).click();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await banner.waitFor({ state: 'detached' });
});

test('an authenticator is asked for after single sign-on too, from the moment the switch says so', async () => {
  await open('/settings/tenant-settings?panel=sign-in');
  const toggle = page.getByRole('switch', { name: 'Ask for an authenticator after single sign-on too' });
  expect(await toggle.isChecked()).toBe(false);
  await toggle.focus();
  await page.keyboard.press('Space');
  await page.getByText('Sign-in saved').waitFor();
  const admin = adminOf(demo, tenant);
  const api = apiOf(demo, admin);
  const kept = await api.call('settings.get', { params: { tenant: admin.tenant } });
  expect(kept.mfa).toEqual({ required_for_social: true });
  await page.reload();
  await toggle.waitFor();
  expect(await toggle.isChecked()).toBe(true);
});

test('the audit log has what was just done, holds, and is saved as CSV', async () => {
  await open('/settings/tenant-settings?panel=audit');
  await page.getByRole('button', { name: 'Export all records as CSV' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export all records as CSV' }).click(),
  ]);
  const file = await readFile(await download.path(), 'utf8');
  expect(file.split('\n').length).toBeGreaterThan(5);
  expect(file).toContain('membership.set');
});

test('term dates show the contract, and its file is downloaded', async () => {
  await open('/settings/term-dates');
  await page.getByRole('heading', { level: 1, name: 'Term dates' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /^Download / })
      .first()
      .click(),
  ]);
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a contact is added, found and deleted', async () => {
  await open('/settings/contact-directory');
  await page.getByRole('button', { name: 'Add contact' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Night Desk');
  await page.getByLabel('E-mail address').fill('night.desk@meridian-foods.example');
  await page.getByLabel('Phone').fill('+1 202 555 0143');
  await page
    .getByRole('button', { name: /^(Add|Save|Create)/ })
    .last()
    .click();
  await page.getByRole('row', { name: /Night Desk/ }).waitFor();
  await open('/settings/contact-directory?q=Night');
  await page.getByRole('row', { name: /Night Desk/ }).click();
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.getByRole('row', { name: /Night Desk/ }).waitFor({ state: 'detached' });
});
