import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { apiOf, userOf } from '../src/api.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { hostileRedirects } from '../src/hostile-redirects.ts';
import { codeMailedTo } from '../src/mails.ts';
import { createPerson, openAs } from '../src/people.ts';
import { signOut, typeCode, typePassword, untilHome } from '../src/sign-in-steps.ts';
import { newAddress } from '../src/visitor.ts';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

const newPassword = () => randomBytes(15).toString('base64url');

async function atSignIn(): Promise<{ page: Page; context: BrowserContext }> {
  const opened = await openPage(browser, { address: newAddress() });
  await opened.page.goto(`${demo.url}/login`);
  await opened.page.getByLabel('E-mail address').waitFor();
  return opened;
}

test('a forgotten password: the code of the outbox, a new password, and the authenticator is still asked for', async () => {
  const person = await createPerson(demo, 'Analyst');
  const { page, context } = await atSignIn();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await page.getByLabel('E-mail address').fill(person.email);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();

  const code = await codeMailedTo(demo, person.email);
  const outbox = await context.newPage();
  await outbox.goto(`${demo.url}/outbox`);
  await outbox.getByText(`Your code is ${code}`).first().waitFor();
  await outbox.close();

  // Somebody else's browser, with the right code and the link of the mail.
  const link = `${demo.url}/confirm-code?email=${encodeURIComponent(person.email)}`;
  const elsewhere = await atSignIn();
  await elsewhere.page.goto(link);
  await elsewhere.page.getByLabel('Code from the mail').fill(code);
  await elsewhere.page.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.page.getByRole('alert').first().waitFor();
  expect(new URL(elsewhere.page.url()).pathname).toBe('/confirm-code');
  await elsewhere.context.close();

  // In one's own the page may be loaded anew, by that link.
  await page.goto(link);
  const wrong = code.startsWith('1') ? `2${code.slice(1)}` : `1${code.slice(1)}`;
  await page.getByLabel('Code from the mail').fill(wrong);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').first().waitFor();
  await page.getByLabel('Code from the mail').fill(`${code.slice(0, 4)} ${code.slice(4)}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
  expect(page.url()).not.toContain(code);

  const password = newPassword();
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText('Your password is set. Sign in with it.').waitFor();
  await typePassword(page, person.email, person.password);
  await page.getByRole('alert').first().waitFor();
  await typePassword(page, person.email, password);
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await typeCode(page, person.authenticator.nextCode());
  await untilHome(page);
  await context.close();
});

test("a new password after an Admin's reset: the right one opens nothing any more until a new one is set", async () => {
  const person = await createPerson(demo, 'Analyst');
  const admin = userOf(demo, 'Admin');
  await apiOf(demo, admin).call('users.reset-password', {
    params: { tenant: admin.tenant },
    query: { username: person.email },
  });
  const { page, context } = await atSignIn();
  await typePassword(page, person.email, person.password);
  await page.getByRole('heading', { name: 'A new password is required' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/new-password-required');
  await page.getByLabel('Code from the mail').fill(await codeMailedTo(demo, person.email));
  const password = newPassword();
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText('Your password is set. Sign in with it.').waitFor();
  await typePassword(page, person.email, password);
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await typeCode(page, person.authenticator.nextCode());
  await untilHome(page);
  await context.close();
});

test('a recovery code signs in once, in place of the authenticator', async () => {
  const person = await createPerson(demo, 'ReadOnly');
  const [code = ''] = person.recoveryCodes;
  const { page, context } = await atSignIn();
  const withRecoveryCode = async () => {
    await typePassword(page, person.email, person.password);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(code);
    await page.getByRole('button', { name: 'Verify' }).click();
  };
  await withRecoveryCode();
  await untilHome(page);
  await signOut(page, demo.url);
  await withRecoveryCode();
  await page.getByRole('alert').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
  await context.close();
});

test('a passkey is added in the profile and signs in alone', async () => {
  const person = await createPerson(demo, 'Analyst');
  const { page, context } = await openAs(browser, demo, person.visitor);
  const devices = await context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${demo.url}/settings/profile`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop of the journey');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Remove Laptop of the journey' }).waitFor();

  await signOut(page, demo.url);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await untilHome(page);
  await context.close();
});

test('a redirect that leads elsewhere or back to an entry page ends at home, and no other host is asked', async () => {
  const person = await createPerson(demo, 'ReadOnly');
  const { context, page } = await openAs(browser, demo, person.visitor);
  const foreign: string[] = [];
  const dialogs: string[] = [];
  context.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(demo.url)) foreign.push(request.url());
  });
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const openFresh = (address: string) => page.goto(`${demo.url}${address}`, { waitUntil: 'commit' });
  // As a link inside the dashboard would: without loading everything anew, which only takes time.
  const openInside = (address: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
  await page.goto(`${demo.url}/home`);
  await untilHome(page);
  for (const [index, redirect] of hostileRedirects.entries()) {
    // Both entries of the flow are tried; signed in already, the sign-in page passes it on.
    const entry = index % 2 === 0 ? '/validate' : '/login';
    const open = index % 10 === 0 ? openFresh : openInside;
    await open(`${entry}?redirect=${encodeURIComponent(redirect)}`);
    await page.waitForURL((url) => url.pathname === '/home').catch(() => undefined);
    expect(page.url(), redirect).toBe(`${demo.url}/home`);
  }
  await page.goto(`${demo.url}/login?redirect=${encodeURIComponent('/activity/playbooks?q=a')}`);
  await page.waitForURL(`${demo.url}/activity/playbooks?q=a`);
  expect(foreign).toEqual([]);
  expect(dialogs).toEqual([]);
  await context.close();
});
