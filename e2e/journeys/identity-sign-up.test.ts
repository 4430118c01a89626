import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { adminOf, apiOf, userOf } from '../src/api.ts';
import { createAuthenticator } from '../src/authenticator.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { invitationOf } from '../src/mails.ts';
import { createPerson, newEmail, openAs } from '../src/people.ts';
import { typeCode, untilHome } from '../src/sign-in-steps.ts';
import { newAddress } from '../src/visitor.ts';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** By the Admin of the other customer. */
async function inviteToClinics(email: string): Promise<string> {
  const admin = adminOf(demo, 'Harbor Clinics');
  await apiOf(demo, admin).call('users.invite', {
    params: { tenant: admin.tenant },
    body: { email, fullname: 'Robin Example', role: 'Analyst' },
  });
  return (await invitationOf(demo, email)).path;
}

/** Nothing the browser keeps or shows has it: address, history entry, storage. */
async function expectNowhere(page: Page, secret: string): Promise<void> {
  expect(page.url()).not.toContain(secret);
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])');
  expect(kept).not.toContain(secret);
}

describe('an invitation', () => {
  test('leads through sign-up, authenticator and recovery codes into the tenant', async () => {
    const admin = userOf(demo, 'Admin');
    const email = newEmail();
    await apiOf(demo, admin).call('users.invite', {
      params: { tenant: admin.tenant },
      body: { email, fullname: 'Kim Newcomer', role: 'Analyst' },
    });
    const { path, ticket } = await invitationOf(demo, email);
    const { page, context, problems } = await openPage(browser, { address: newAddress() });
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));

    await page.goto(`${demo.url}${path}`);
    await page.getByRole('heading', { name: 'Join Meridian Foods' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email);
    expect(await page.getByLabel('Full name').inputValue()).toBe('Kim Newcomer');
    // The address that was opened carries the ticket; nothing that was asked for afterwards does.
    expect(addresses.slice(2).filter((address) => address.includes(ticket))).toEqual([]);
    await page.getByLabel('Password', { exact: true }).fill(randomBytes(15).toString('base64url'));
    await page.getByRole('button', { name: 'Create the account' }).click();

    await page.getByRole('heading', { name: 'Set up your authenticator' }).waitFor();
    // Until then the dashboard is closed, whatever address is typed.
    await page.goto(`${demo.url}/home`);
    await page.getByRole('heading', { name: 'Set up your authenticator' }).waitFor();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const link = await page.getByRole('link', { name: 'Open your authenticator app' }).getAttribute('href');
    const secret = new URL(link ?? '').searchParams.get('secret') ?? '';
    const authenticator = createAuthenticator(secret);
    await page.getByRole('button', { name: 'It is in my app' }).click();
    await page.getByRole('heading', { name: 'Enter the app’s code' }).waitFor();
    await typeCode(page, authenticator.nextCode());

    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    expect(new Set(codes).size).toBeGreaterThanOrEqual(8);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const file = await readFile(await download.path(), 'utf8');
    for (const code of codes) expect(file).toContain(code);
    expect(file).toContain(email);
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await page.getByLabel('I have saved them').check();
    await page.getByRole('button', { name: 'Continue' }).click();

    await untilHome(page);
    await page.getByRole('heading', { name: 'Meridian Foods' }).or(page.getByText('Meridian Foods')).first().waitFor();
    await expectNowhere(page, ticket);
    await expectNowhere(page, secret);
    for (const code of codes) await expectNowhere(page, code);

    // Used: the same link opens nothing for anybody.
    const { page: other, context: elsewhere } = await openPage(browser, { address: newAddress() });
    await other.goto(`${demo.url}${path}`);
    await other.getByRole('heading', { name: 'This invitation is not valid any more' }).waitFor();
    await elsewhere.close();
    // The first answer to a visitor without a session is a refusal the browser reports by itself.
    expect(problems.filter((problem) => !/status of 40[013]/.test(problem))).toEqual([]);
    await context.close();
  });

  test('for an account that is signed in asks which account goes on, and opens the second tenant', async () => {
    const person = await createPerson(demo, 'ReadOnly');
    const path = await inviteToClinics(person.email);
    const { page, context } = await openAs(browser, demo, person.visitor);
    await page.goto(`${demo.url}${path}`);
    await page.getByRole('heading', { name: 'You are signed in already' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/signup/switch-accounts');
    expect(page.url()).not.toContain('ticket');
    await page.getByText(`Harbor Clinics invites ${person.email}.`).waitFor();
    await page.getByRole('button', { name: `Continue as ${person.fullname}` }).click();
    await untilHome(page);
    await page.getByText('Harbor Clinics').first().waitFor();
    await page.getByRole('button', { name: 'Select Tenant, now Harbor Clinics' }).first().click();
    await page.getByRole('option', { name: 'Meridian Foods' }).waitFor();
    await context.close();
  });

  test('for somebody else is not accepted by whoever is signed in: another account goes on with it', async () => {
    const person = await createPerson(demo, 'ReadOnly');
    const invited = newEmail();
    const path = await inviteToClinics(invited);
    const { page, context } = await openAs(browser, demo, person.visitor);
    await page.goto(`${demo.url}${path}`);
    await page.getByText(`You are signed in as ${person.email}.`, { exact: false }).waitFor();
    await page.getByRole('button', { name: `Continue as ${person.fullname}` }).click();
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('heading', { name: 'Join Harbor Clinics' }).waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(invited);
    await context.close();
  });

  test.each([
    ['/signup/invite', 'This link is not complete'],
    ['/signup/invite?__clerk_ticket=', 'This link is not complete'],
    ['/signup/invite?__clerk_ticket=forged', 'This invitation is not valid any more'],
    [`/signup/invite?__clerk_ticket=${'x'.repeat(4000)}`, 'This invitation is not valid any more'],
  ])('that is no invitation (%#) says so and leads to the sign-in', async (path, heading) => {
    const { page, context } = await openPage(browser, { address: newAddress() });
    await page.goto(`${demo.url}${path}`);
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await page.getByLabel('E-mail address').waitFor();
    await context.close();
  });
});

test.each([
  ['/signup/azure', '/login'],
  ['/signup/azure/confirm', '/login'],
  ['/signup/azure/callback/continue', '/login'],
  ['/signup/switch-accounts?attempt_pathname=%2Fhome', '/login'],
  ['/onboarding/confirm-totp', '/login'],
  ['/onboarding/setting-up', '/login'],
  ['/setup-totp', '/login'],
  ['/home', '/login'],
])('%s leads a stranger to the sign-in', async (from, to) => {
  const { page, context } = await openPage(browser, { address: newAddress() });
  await page.goto(`${demo.url}${from}`);
  await page.getByLabel('E-mail address').waitFor();
  expect(new URL(page.url()).pathname).toBe(to);
  await context.close();
});
