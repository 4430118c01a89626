import { setTimeout as delay } from 'node:timers/promises';
import type { Case } from '@airdeck/contracts/cases/schema';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AirdeckProcess, startAirdeck } from '../src/airdeck-process.ts';
import { apiOf, userOf } from '../src/api.ts';
import { createAuthenticator } from '../src/authenticator.ts';
import { desktop, launchBrowser, openPage, phone } from '../src/browser.ts';
import { invitationOf } from '../src/mails.ts';
import { createPerson, newEmail, openAs } from '../src/people.ts';
import { typeCode } from '../src/sign-in-steps.ts';
import { guessingRun, sendSyslog } from '../src/syslog-sender.ts';

const guesser = '203.0.113.61';
/** Evaluated from outside the page: its content security policy lets nothing inside be made from text. */
const RUNNING_ANIMATIONS = 'document.getAnimations().filter((each) => each.playState === "running").length';
const looks = [
  { theme: 'dark', viewport: desktop },
  { theme: 'light', viewport: desktop },
  { theme: 'dark', viewport: phone },
  { theme: 'light', viewport: phone },
] as const;

let airdeck: AirdeckProcess;
let browser: Browser;
let waiting: Case;

beforeAll(async () => {
  [airdeck, browser] = await Promise.all([startAirdeck(), launchBrowser()]);
  const { demo } = airdeck;
  await sendSyslog(demo.ports.syslog_tcp, guessingRun({ guesser, bystander: '198.51.100.61' }, new Date()));
  waiting = await caseThatWaits();
});
afterAll(async () => {
  await browser?.close();
  await airdeck?.close();
});

async function caseThatWaits(): Promise<Case> {
  const analyst = userOf(airdeck.demo, 'Analyst');
  const api = apiOf(airdeck.demo, analyst);
  for (let attempt = 0; attempt < 200; attempt++) {
    const { cases } = await api.call('cases.list', { params: { tenant: analyst.tenant }, query: { q: guesser } });
    if (cases[0]?.alert_responses[0]?.status === 'waiting') return cases[0];
    await delay(100);
  }
  throw new Error('No case waits for an answer.');
}

async function signIn(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { level: 1, name: 'Welcome to your AIR' }).waitFor();
}

/** Every screen in both themes and both widths: nothing for axe to find, nothing wider than the page, a proper title. */
async function look(page: Page, name: string): Promise<void> {
  for (const { theme, viewport } of looks) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    // Colours fade from one theme to the other; what axe should judge is where they end.
    await expect.poll(() => page.evaluate(RUNNING_ANIMATIONS), { timeout: 20_000 }).toBe(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    expect(found, `${name}, ${theme}, ${viewport.width} px`).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow, `${name} is wider than ${viewport.width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(desktop);
  expect(await page.title()).toMatch(/^.+ \| .+$/);
}

describe('every screen', () => {
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    ({ page, problems } = await openPage(browser));
    await page.goto(airdeck.demo.url);
    await page.getByRole('heading', { level: 2, name: 'Demo accounts' }).waitFor();
  });

  test('sign-in', async () => {
    await look(page, 'sign-in');
    await signIn(page, /Ana Souza/);
  });

  test.each([
    ['home', () => '/home', 'Alert history'],
    ['cases', () => '/air/case-management', guesser],
    ['case', () => `/air/case-management/${waiting.id}`, `Block ${guesser} on the firewall?`],
    ['playbook runs', () => '/activity/playbooks', 'Block a guessing address'],
    ['playbook run', () => `/activity/playbooks/${waiting.alert_responses[0]?.workflow_instance_id}`, 'Leave it'],
    ['action runs', () => '/activity/actions', 'Check IP address'],
    ['unauthorized', () => '/unauthorized', /./],
    ['not enabled', () => '/not-enabled', 'Not part of your plan'],
    ['overview', () => '/overview', '1 tenant'],
    ['profile', () => '/settings/profile', 'Delete account'],
    ['notifications', () => '/settings/notifications', /./],
    ['not found', () => '/no-such-page', "We couldn't find the page you were looking for"],
  ])('%s', async (name, path, content) => {
    await page.goto(`${airdeck.demo.url}${path()}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.getByText(content).first().waitFor();
    await look(page, name);
  });

  test('the browser had nothing to complain about', () => {
    expect(problems).toEqual([]);
  });
});

describe('every screen before the dashboard', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openPage(browser));
  });

  test.each([
    ['forgot password', '/forgot-password', 'Forgot your password?'],
    ['confirm code', '/confirm-code?email=a%40example.com', 'Enter the code'],
    ['reset password', '/reset-password?code=12345678&email=a%40example.com', 'Choose a new password'],
    ['reset password without its code', '/reset-password', 'This link is not complete'],
    ['new password required', '/new-password-required', 'A new password is required'],
    ['invalid invitation', '/signup/invite?__clerk_ticket=x', 'This invitation is not valid any more'],
    ['purchase', '/signup/azure?token=x', 'Set up your purchase'],
    ['outbox', '/outbox', 'Outbox'],
  ])('%s', async (name, path, heading) => {
    await page.goto(`${airdeck.demo.url}${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await look(page, name);
  });

  test('from an invitation to the dashboard', async () => {
    const admin = userOf(airdeck.demo, 'Admin');
    const email = newEmail();
    await apiOf(airdeck.demo, admin).call('users.invite', {
      params: { tenant: admin.tenant },
      body: { email, fullname: 'Kim Newcomer', role: 'Admin' },
    });
    await page.goto(`${airdeck.demo.url}${(await invitationOf(airdeck.demo, email)).path}`);
    await page.getByRole('heading', { name: 'Join Meridian Foods' }).waitFor();
    await look(page, 'invitation');
    await page.getByLabel('Password', { exact: true }).fill('four words nobody guesses 77');
    await page.getByRole('button', { name: 'Create the account' }).click();
    const link = page.getByRole('link', { name: 'Open your authenticator app' });
    const secret = new URL((await link.getAttribute('href')) ?? '').searchParams.get('secret') ?? '';
    await look(page, 'set-up of an authenticator');
    await page.getByRole('button', { name: 'It is in my app' }).click();
    await page.getByRole('heading', { name: 'Enter the app’s code' }).waitFor();
    await look(page, 'code of the authenticator');
    await typeCode(page, createAuthenticator(secret).nextCode());
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    await look(page, 'recovery codes');
  });
});

describe('every screen of an Admin', () => {
  let page: Page;

  beforeAll(async () => {
    const admin = await createPerson(airdeck.demo, 'Admin');
    ({ page } = await openAs(browser, airdeck.demo, admin.visitor));
  });

  test.each([
    ['term dates', '/settings/term-dates'],
    ['contact directory', '/settings/contact-directory'],
    ...['users', 'details', 'sign-in', 'retention', 'sources', 'brand', 'automation', 'audit'].map((panel) => [
      `tenant settings, ${panel}`,
      `/settings/tenant-settings?panel=${panel}`,
    ]),
  ])('%s', async (name = '', path = '') => {
    await page.goto(`${airdeck.demo.url}${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    // Placeholders give way to what the screen is about.
    await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 30_000 }).toBe(0);
    await look(page, name);
  });
});

describe('a reader', () => {
  test('sees the question of a run and may not answer it', async () => {
    const { page } = await openPage(browser);
    await page.goto(airdeck.demo.url);
    await signIn(page, /Tom Okafor/);
    await page.goto(`${airdeck.demo.url}/activity/playbooks`);
    await page
      .getByRole('row', { name: /Block a guessing address/ })
      .first()
      .click();
    await page.getByText(`Block ${guesser} on the firewall?`).first().waitFor();
    expect(await page.getByRole('button', { name: 'Block', exact: true }).first().isDisabled()).toBe(true);
  });
});
