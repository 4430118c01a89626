import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { adminOf, apiOf } from '../src/api.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { codeMailedTo, invitationOf } from '../src/mails.ts';
import { createPerson, newEmail, openAs, type Person } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { typeCode, typePassword } from '../src/sign-in-steps.ts';
import { newAddress } from '../src/visitor.ts';

const tenant = 'Harbor Clinics';
const demo = inject('demo');
let browser: Browser;
/** An Admin's browser; all steps of this file are this person's. */
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  const admin = await createPerson(demo, 'Admin', { fullname: 'Mel Manager', tenant });
  ({ page } = await openAs(browser, demo, admin.visitor));
});
afterAll(async () => {
  await browser?.close();
});

const rowOf = (name: string) => page.getByRole('row', { name: new RegExp(name) });

/** A member of the tenant at work in a browser, and the Admin in front of what can be done to them. */
async function workingMember(fullname: string) {
  const person = await createPerson(demo, 'Analyst', { fullname, tenant });
  const other = await openAs(browser, demo, person.visitor);
  await other.page.goto(`${demo.url}/settings/profile`);
  await other.page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await page.goto(`${demo.url}/settings/tenant-settings?q=${encodeURIComponent(fullname)}`);
  await rowOf(fullname).click();
  return { person, other };
}

async function memberNow(email: string) {
  const admin = adminOf(demo, tenant);
  const users = await apiOf(demo, admin).call('users.list', {
    params: { tenant: admin.tenant },
    query: { show_all: 'true' },
  });
  return users.find(({ uname }) => uname === email);
}

/** By itself: nobody touches that browser. */
async function untilSignIn(other: Page): Promise<void> {
  await other.waitForURL((url) => url.pathname === '/login');
  await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
}

async function signIn(other: Page, { email, password, authenticator }: Person): Promise<void> {
  await typePassword(other, email, password);
  await other.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await typeCode(other, authenticator.nextCode());
}

test('a member who is disabled is out at once and stays out, until enabled again', async () => {
  const { person, other } = await workingMember('Dana Disabled');
  await page.getByRole('button', { name: 'Disable…' }).click();
  const question = page.getByRole('dialog', { name: 'Disable Dana Disabled?' });
  await question.getByText(/signed out at once, in every tenant/).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).last().click();
  await question.waitFor({ state: 'detached' });
  expect((await memberNow(person.email))?.status).toBe('active');
  await page.getByRole('button', { name: 'Disable…' }).click();
  await question.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByText('Dana Disabled disabled').waitFor();
  expect((await memberNow(person.email))?.status).toBe('disabled');

  await untilSignIn(other.page);
  await typePassword(other.page, person.email, person.password);
  await other.page.getByText('This account is disabled. Ask your administrator.').waitFor();
  expect(new URL(other.page.url()).pathname).toBe('/login');

  // Hidden from the list, and found again.
  await page.goto(`${demo.url}/settings/tenant-settings?q=Dana`);
  await page.getByText('Nobody found').waitFor();
  await page.getByRole('switch', { name: /^Show disabled/ }).check({ force: true });
  await rowOf('Dana Disabled').click();
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.getByText('Dana Disabled can sign in again').waitFor();
  await page.getByRole('button', { name: 'Disable…' }).waitFor();
  await signIn(other.page, person);
  // Where they were when they were signed out.
  await other.page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await other.context.close();
});

test('a member is removed once the question was confirmed: gone from the list, signed out, nothing to open', async () => {
  const { person, other } = await workingMember('Remy Removed');
  await page.getByRole('button', { name: 'Remove…' }).waitFor();
  await look(page, 'a user beside the list');
  await page.getByRole('button', { name: 'Remove…' }).click();
  const question = page.getByRole('dialog', { name: 'Remove the user?' });
  await question.getByText(/Remy Removed/).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).last().click();
  await question.waitFor({ state: 'detached' });
  expect(await memberNow(person.email)).toMatchObject({ status: 'active', role: 'Analyst' });
  await page.getByRole('button', { name: 'Remove…' }).click();
  await question.getByRole('button', { name: 'Remove user' }).click();
  await page.getByText('Remy Removed removed').waitFor();
  await page.getByText('Nobody found').waitFor();
  expect(await memberNow(person.email)).toBeUndefined();

  await untilSignIn(other.page);
  await signIn(other.page, person);
  await other.page.getByRole('heading', { level: 1, name: 'Account not found' }).waitFor();
  await look(other.page, 'account not found');
  await other.context.close();
});

test("an Admin's reset signs out, and only the mailed code opens the account again", async () => {
  const { person, other } = await workingMember('Reese Reset');
  await page.getByRole('button', { name: 'Reset password…' }).click();
  const question = page.getByRole('dialog', { name: 'Reset the password of Reese Reset?' });
  await question.getByRole('button', { name: 'Reset password' }).click();
  await page.getByText(`Mail sent to ${person.email}`).waitFor();

  await untilSignIn(other.page);
  await typePassword(other.page, person.email, person.password);
  await other.page.getByRole('heading', { name: 'A new password is required' }).waitFor();
  await other.page.getByLabel('Code from the mail').fill(await codeMailedTo(demo, person.email));
  const password = randomBytes(15).toString('base64url');
  await other.page.getByLabel('New password', { exact: true }).fill(password);
  await other.page.getByRole('button', { name: 'Set the password' }).click();
  await other.page.getByText('Your password is set. Sign in with it.').waitFor();
  await signIn(other.page, { ...person, password });
  // Where they were when their session ended.
  await other.page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await other.context.close();
});

test('an invitation is sent, sent again and withdrawn: no link of it opens anything', async () => {
  const email = newEmail();
  await page.goto(`${demo.url}/settings/tenant-settings`);
  await page.getByRole('button', { name: 'Invite user' }).click();
  const form = page.getByRole('dialog', { name: 'Invite user' });
  await form.getByLabel('Name').fill('Indy Invited');
  await form.getByLabel('E-mail address').fill(email);
  await form.getByLabel('Role').selectOption('ReadOnly');
  await form.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText(`Invitation sent to ${email}`).first().waitFor();
  const first = await invitationOf(demo, email);

  await page.goto(`${demo.url}/settings/tenant-settings?q=${email}`);
  await rowOf('Indy Invited').click();
  await page.getByRole('button', { name: 'Invite again' }).click();
  await expect.poll(async () => (await invitationOf(demo, email)).ticket, { timeout: 30_000 }).not.toBe(first.ticket);
  const second = await invitationOf(demo, email);
  await page.getByRole('button', { name: 'Withdraw…' }).click();
  const question = page.getByRole('dialog', { name: 'Withdraw the invitation?' });
  await question.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await page.getByText('Invitation withdrawn').waitFor();

  const invited = await openPage(browser, { address: newAddress() });
  for (const { path } of [first, second]) {
    await invited.page.goto(`${demo.url}${path}`);
    await invited.page.getByRole('heading', { name: 'This invitation is not valid any more' }).waitFor();
  }
  await invited.context.close();
});

test('nobody lowers, disables or removes themselves', async () => {
  await page.goto(`${demo.url}/settings/tenant-settings?q=Mel`);
  await rowOf('Mel Manager').click();
  await page.getByText('This is you. Another Admin has to do it.').first().waitFor();
  for (const name of ['Change role…', 'Disable…', 'Remove…']) {
    expect(await page.getByRole('button', { name }).getAttribute('aria-disabled'), name).toBe('true');
  }
});
