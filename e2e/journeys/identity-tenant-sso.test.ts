import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type NameServer, startNameServer } from '../../apps/server/src/modules/sso/name-server-stand-in.ts';
import { apiOfBrowser } from '../src/api.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { signOut, untilHome } from '../src/sign-in-steps.ts';
import { newAddress } from '../src/visitor.ts';

const demo = inject('demo');
const label = `Directory ${randomBytes(3).toString('hex')}`;
const domain = `sso-${randomBytes(5).toString('hex')}.example`;
const email = `kim@${domain}`;

let browser: Browser;
let names: NameServer;
let admin: { page: Page; context: BrowserContext; tenant: string };
/** Somebody at an address of the domain, without an account. */
let visitor: { page: Page; context: BrowserContext };

beforeAll(async () => {
  [browser, names] = await Promise.all([launchBrowser(), startNameServer(inject('nameServerPort'))]);
  const person = await createPerson(demo, 'Admin', { fullname: 'Sasha Single' });
  admin = { ...(await openAs(browser, demo, person.visitor)), tenant: person.tenant };
  visitor = await openPage(browser, { address: newAddress() });
});
afterAll(async () => {
  await browser?.close();
  names?.close();
});

const signInButton = () => visitor.page.getByRole('button', { name: `Sign in with ${label}` });

/** Until it is known which ways in there are for the address. */
async function atSignIn(path = '/login'): Promise<void> {
  const { page } = visitor;
  await page.goto(`${demo.url}${path}`);
  const answered = page.waitForResponse((answer) => answer.url().includes('/auth/connections?email='));
  await page.getByLabel('E-mail address').fill(email);
  await page.keyboard.press('Tab');
  await answered;
}

/** On the page of the issuer. */
async function signInThere(): Promise<void> {
  await visitor.page.getByRole('heading', { name: 'Sandbox directory' }).waitFor();
  await visitor.page.getByLabel('E-mail address').fill(email);
  await visitor.page.getByLabel('Groups, with commas').fill('soc');
  await visitor.page.getByRole('button', { name: 'Sign in' }).click();
}

test('an Admin connects the directory of the company, and the connection is tried', async () => {
  const { page } = admin;
  await page.goto(`${demo.url}/settings/tenant-settings?panel=sign-in`);
  await page.getByRole('button', { name: 'Add connection' }).click();
  const form = page.getByRole('dialog', { name: 'Add connection' });
  await form.getByLabel('Kind').selectOption('oidc');
  await form.getByLabel('Name', { exact: true }).fill(label);
  await form.getByLabel('Issuer').fill(`http://127.0.0.1:${demo.ports.sandbox}/openid`);
  await form.getByLabel('Client id').fill('airdeck');
  await form.getByPlaceholder('example.com', { exact: true }).fill(domain);
  await page.keyboard.press('Enter');
  await form.getByLabel('New people join by signing in').check({ force: true });
  await form.getByLabel('Role of everybody who joins').selectOption('ReadOnly');
  await form.getByRole('button', { name: 'Add connection' }).click();
  await page.getByText('Connection saved').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Test ${label}` }).click();
  await page.getByText(/^Works\./).waitFor();
});

test('its domain counts for nothing until the record is there: nobody is offered the connection', async () => {
  const { page } = admin;
  await page.getByText('Not proved').waitFor();
  await page.getByRole('button', { name: `Check ${domain} now` }).click();
  await page.getByText(/The record was not found/).waitFor();
  await look(page, 'a domain that is not proved');
  await atSignIn();
  expect(await signInButton().count()).toBe(0);
});

test('with the record of the screen set at the name servers, the domain is proved', async () => {
  const { page } = admin;
  const [name = '', value = ''] = await page
    .locator('code')
    .filter({ hasText: /airdeck-/ })
    .allTextContents();
  expect(name).toBe(`_airdeck-challenge.${domain}`);
  names.texts.set(name, [['v=spf1 -all'], [value.slice(0, 20), value.slice(20)]]);
  await page.getByRole('button', { name: `Check ${domain} now` }).click();
  await page.getByText('Proved', { exact: true }).waitFor();
  await look(page, 'a proved domain');
});

test('somebody of the company changes their mind, then signs in there and is a member at once', async () => {
  const { page, context } = visitor;
  await atSignIn();
  await signInButton().click();
  await page.getByRole('heading', { name: 'Sandbox directory' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('E-mail address').waitFor();
  expect(new URL(page.url()).origin).toBe(demo.url);

  await atSignIn();
  await signInButton().click();
  await signInThere();
  await untilHome(page);
  const me = await apiOfBrowser(demo, context).call('me.get', {});
  expect(me.user.email).toBe(email);
  expect(me.tenant_roles).toEqual({ [admin.tenant]: 'ReadOnly' });
});

test('signs in again the same way, as the same person', async () => {
  const before = await apiOfBrowser(demo, visitor.context).call('me.get', {});
  await signOut(visitor.page, demo.url);
  await atSignIn();
  await signInButton().click();
  await signInThere();
  await untilHome(visitor.page);
  const after = await apiOfBrowser(demo, visitor.context).call('me.get', {});
  expect(after.user.id).toBe(before.user.id);
});

test('the connection is deleted after a question: its people are signed out, and nobody is offered it', async () => {
  const { page } = admin;
  await page.reload();
  await page.getByRole('button', { name: `Delete ${label}` }).click();
  const question = page.getByRole('dialog', { name: 'Remove this connection?' });
  await question.getByText(/everybody who did is signed out/).waitFor();
  await question.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Connection deleted').waitFor();
  // Sent away from a screen of the dashboard.
  await atSignIn('/settings/notifications');
  expect(await signInButton().count()).toBe(0);
});
