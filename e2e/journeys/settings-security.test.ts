import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createAuthenticator } from '../src/authenticator.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs, type Person, signInAgain } from '../src/people.ts';
import { signOut, typeCode, typePassword, untilHome } from '../src/sign-in-steps.ts';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** Somebody in front of their profile, who proved who they are a moment ago. */
async function atProfile() {
  const person = await createPerson(demo, 'Analyst');
  const opened = await openAs(browser, demo, person.visitor);
  await opened.page.goto(`${demo.url}/settings/profile`);
  await opened.page.getByRole('button', { name: 'Change password' }).waitFor();
  return { person, ...opened };
}

async function signInWithRecoveryCode(page: Page, { email, password }: Person, code: string): Promise<void> {
  await typePassword(page, email, password);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Verify' }).click();
}

/** The codes on the screen, which say that they were kept. */
async function keepCodes(page: Page): Promise<string[]> {
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  return codes;
}

test('a password is changed with the one before, and every other session is over', async () => {
  const { person, page, context } = await atProfile();
  const other = await openAs(browser, demo, await signInAgain(demo, person));
  await other.page.goto(`${demo.url}/settings/profile`);
  await other.page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();

  await page.getByRole('button', { name: 'Change password' }).click();
  const form = page.getByRole('dialog', { name: 'Change password' });
  const password = randomBytes(15).toString('base64url');
  await form.getByLabel('Current password', { exact: true }).fill('not the password at all');
  await form.getByLabel('New password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Change password' }).click();
  await form.getByText('This is not your current password.').waitFor();
  await form.getByLabel('Current password', { exact: true }).fill(person.password);
  await form.getByLabel('New password', { exact: true }).fill('password1234');
  await form.getByRole('button', { name: 'Change password' }).click();
  await form.getByText(/is known from leaks and is tried first/).waitFor();
  await form.getByLabel('New password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed. Other sessions are signed out.').waitFor();

  await other.page.waitForURL((url) => url.pathname === '/login');
  await typePassword(other.page, person.email, person.password);
  await other.page.getByRole('alert').first().waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await signOut(page, demo.url);
  await signInWithRecoveryCode(page, { ...person, password }, person.recoveryCodes[0] ?? '');
  await untilHome(page);
  await other.context.close();
  await context.close();
});

test('new recovery codes are printed and saved, and end those before', async () => {
  const { person, page, context } = await atProfile();
  await page.evaluate('window.print = () => { document.documentElement.dataset.printed = "yes"; }');
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('dialog', { name: 'Make new recovery codes?' }).getByRole('button', { name: /^Make/ }).click();
  await page.getByRole('dialog', { name: 'Keep your recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => page.evaluate('document.documentElement.dataset.printed'), { timeout: 30_000 }).toBe('yes');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const file = await readFile(await download.path(), 'utf8');
  expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  const codes = await keepCodes(page);
  for (const code of codes) expect(file).toContain(code);
  expect(codes.filter((code) => person.recoveryCodes.includes(code))).toEqual([]);

  await signOut(page, demo.url);
  await signInWithRecoveryCode(page, person, person.recoveryCodes[0] ?? '');
  await page.getByRole('alert').first().waitFor();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Verify' }).click();
  await untilHome(page);
  await context.close();
});

test('the authenticator is set up anew: its codes count, those of the one before do not', async () => {
  const { person, page, context } = await atProfile();
  await page.getByRole('button', { name: 'Set up anew' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up the authenticator app anew' });
  const shown = dialog.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/);
  const authenticator = createAuthenticator((await shown.textContent()) ?? '');
  await typeCode(page, authenticator.nextCode());
  await page.getByRole('dialog', { name: 'Keep your recovery codes' }).waitFor();
  await keepCodes(page);
  await signOut(page, demo.url);
  await typePassword(page, person.email, person.password);
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await typeCode(page, person.authenticator.nextCode());
  await page.getByRole('alert').first().waitFor();
  await typeCode(page, authenticator.nextCode());
  await untilHome(page);
  await context.close();
});

test('an API key is shown once, calls as far as its role goes, and ends when it is revoked', async () => {
  const { person, page, context } = await atProfile();
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'Create an API key' });
  await form.getByLabel('Name').fill('Night job');
  expect(await form.getByLabel('Role').locator('option').allTextContents()).toEqual(['Analyst', 'Read Only']);
  await form.getByRole('button', { name: 'Create key' }).click();
  const created = page.getByRole('dialog', { name: 'Key Night job' });
  const key = (await created.locator('code').textContent()) ?? '';
  await created.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke Night job' }).waitFor();
  expect(await page.content()).not.toContain(key);

  const ask = async (path: string) =>
    (await fetch(`${demo.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await ask(`/api/tenants/${person.tenant}/case`)).toBe(200);
  expect(await ask(`/api/tenants/${person.tenant}/soar/available_actions`)).toBe(403);
  await page.getByRole('button', { name: 'Revoke Night job' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke the key Night job?' });
  await question.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Key revoked').waitFor();
  await expect.poll(() => ask(`/api/tenants/${person.tenant}/case`), { timeout: 30_000 }).toBe(401);
  await context.close();
});

test('a theme is chosen, and stays in this browser', async () => {
  const { page, context } = await atProfile();
  const theme = () => page.evaluate('document.documentElement.dataset.mantineColorScheme');
  const choose = (name: string) =>
    page.getByRole('radiogroup', { name: 'Theme' }).getByText(name, { exact: true }).click();
  // The browser asks for dark, so that light can only be what was chosen.
  for (const name of ['Dark', 'Light']) {
    await choose(name);
    await expect.poll(theme, { timeout: 30_000 }).toBe(name.toLowerCase());
  }
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  expect(await theme()).toBe('light');
  await choose('System');
  await expect.poll(theme, { timeout: 30_000 }).toBe('dark');
  await context.close();
});
