import { randomUUID } from 'node:crypto';
import type { Case } from '@airdeck/contracts/cases/schema';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { apiOf, sandboxConnector, userOf } from '../src/api.ts';
import { createAuthenticator } from '../src/authenticator.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { openGuessingCase } from '../src/guessing-case.ts';
import { invitationOf } from '../src/mails.ts';
import { createPerson, newEmail, openAs } from '../src/people.ts';
import { look, RUNNING_ANIMATIONS } from '../src/screen-look.ts';
import { typeCode } from '../src/sign-in-steps.ts';

const guesser = '192.0.2.61';
/** Limits of calls are made for screens that ask for no more than this when they are opened. */
const CALLS_OF_A_SCREEN = 25;
const demo = inject('demo');
let browser: Browser;
let waiting: Case;

beforeAll(async () => {
  browser = await launchBrowser();
  waiting = await openGuessingCase(demo, guesser);
});
afterAll(async () => {
  await browser?.close();
});

async function signIn(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { level: 1, name: 'Welcome to your AIR' }).waitFor();
}

describe('every screen', () => {
  let page: Page;
  let problems: string[];
  let calls: string[] = [];

  beforeAll(async () => {
    ({ page, problems } = await openPage(browser));
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') calls.push(`${request.method()} ${request.url()}`);
    });
    await page.goto(demo.url);
    await page.getByRole('heading', { level: 2, name: 'Demo accounts' }).waitFor();
  });

  test('sign-in', async () => {
    await look(page, 'sign-in');
    await signIn(page, /Ana Souza/);
  });

  test.each([
    ['home', () => '/home', 'Alert history'],
    ['search', () => `/search?query=${encodeURIComponent(`src_ip:${guesser}`)}`, guesser],
    ['cases', () => '/air/case-management', guesser],
    ['case', () => `/air/case-management/${waiting.id}`, `Block ${guesser} on the firewall?`],
    ['overview of incident response', () => '/air/overview', 'Busiest policies'],
    ['automation settings', () => '/air/automation-settings', 'Block a guessing address'],
    ['policies', () => '/air/policy-management?q=guessing', 'SSH password guessing'],
    ['policy', () => `/air/policy-management?policy=${waiting.policy_id}`, 'When it opens a case'],
    ['new policy', () => '/air/policy-management/new', 'Whose events'],
    ['editor of a policy', () => `/air/policy-management/${waiting.policy_id}/edit`, 'When it opens a case'],
    ['alerts of log management', () => '/graylog/alerts', 'Alerts per 6 h, times in'],
    ['triggered alert', () => '/graylog/triggered-alerts?alert=01JSANDBOX0000000000000001', 'Search behind it'],
    ['event definitions', () => '/graylog/event-definitions', 'Port scan from outside'],
    ['event definition', () => '/graylog/event-definitions?q=scan&action=2e47ea7f0a0e1cabcb6c3066', 'Raises alerts'],
    ['automations of log management', () => '/graylog/automation-settings', 'Automation settings'],
    ['new automation of log management', () => '/graylog/automation-settings/new', 'What saving does in Graylog'],
    ['log-collection report', () => '/report/graylog', 'Busiest hosts'],
    ['automation report', () => '/report/soar', 'How the time saved is reckoned'],
    ['executive reports', () => '/mdr/executive-reports', /report/i],
    ['playbook runs', () => '/activity/playbooks', 'Block a guessing address'],
    ['playbook run', () => `/activity/playbooks/${waiting.alert_responses[0]?.workflow_instance_id}`, 'Leave it'],
    ['action runs', () => '/activity/actions', 'Check IP address'],
    ['integrations, as a reader of them', () => '/integrations', 'FortiGate HQ (sandbox)'],
    ['actions', () => '/actions', 'Check IP address'],
    ['action', () => '/actions?action=fortigate.block_address&settings=true', 'Run later'],
    ['unauthorized', () => '/unauthorized', /./],
    ['not enabled', () => '/not-enabled', 'Not part of your plan'],
    ['overview', () => '/overview', '1 tenant'],
    ['profile', () => '/settings/profile', 'Delete account'],
    ['notifications', () => '/settings/notifications', /./],
    ['not found', () => '/no-such-page', "We couldn't find the page you were looking for"],
  ])('%s', async (name, path, content) => {
    calls = [];
    await page.goto(`${demo.url}${path()}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.getByText(content).first().waitFor();
    const asked = [...calls];
    await look(page, name);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(CALLS_OF_A_SCREEN);
  });

  test('that is loaded again stands where it was left', async () => {
    const scrolled = () => page.evaluate<number>('Math.round(scrollY)');
    const room = () => page.evaluate<number>('document.documentElement.scrollHeight - innerHeight');
    await page.goto(`${demo.url}/home`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(room, { timeout: 20_000 }).toBeGreaterThan(120);
    await page.evaluate('scrollTo(0, 120)');
    await expect.poll(scrolled, { timeout: 20_000 }).toBe(120);
    // The router hears of it with the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.reload();
    await expect.poll(scrolled, { timeout: 20_000 }).toBe(120);
  });

  test('that still loads stands still for people who want less motion', async () => {
    let asked = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const cases = /\/case(\?|$)/;
    await page.route(cases, async (route) => {
      asked += 1;
      await released;
      await route.continue();
    });
    await page.goto(`${demo.url}/air/case-management`);
    await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(0);
    await page.locator('.mantine-Skeleton-root').filter({ visible: true }).first().waitFor();
    await expect.poll(() => page.evaluate(RUNNING_ANIMATIONS), { timeout: 20_000 }).toBe(0);
    expect(await page.locator('.mantine-Skeleton-root').filter({ visible: true }).count()).toBeGreaterThan(0);
    release();
    await page.getByText(guesser).first().waitFor();
    await page.unrouteAll({ behavior: 'wait' });
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
    await page.goto(`${demo.url}${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await look(page, name);
  });

  test('from an invitation to the dashboard', async () => {
    const admin = userOf(demo, 'Admin');
    const email = newEmail();
    await apiOf(demo, admin).call('users.invite', {
      params: { tenant: admin.tenant },
      body: { email, fullname: 'Kim Newcomer', role: 'Admin' },
    });
    await page.goto(`${demo.url}${(await invitationOf(demo, email)).path}`);
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
  let problems: string[];

  beforeAll(async () => {
    const admin = await createPerson(demo, 'Admin');
    ({ page, problems } = await openAs(browser, demo, admin.visitor));
  });

  test.each([
    ['term dates', '/settings/term-dates'],
    ['contact directory', '/settings/contact-directory'],
    ...['users', 'details', 'sign-in', 'retention', 'sources', 'brand', 'automation', 'audit'].map((panel) => [
      `tenant settings, ${panel}`,
      `/settings/tenant-settings?panel=${panel}`,
    ]),
    ['start of a set-up', '/set-up'],
    ['choice of account', '/signup/switch-accounts?attempt_pathname=%2Fsignup%2Finvite'],
  ])('%s', async (name = '', path = '') => {
    await page.goto(`${demo.url}${path}`);
    await untilLoaded(page);
    await look(page, name);
  });

  test('catalogue of integrations, the form of one, and the panels of a connected one', async () => {
    const { id } = await sandboxConnector(demo);
    const panels = ['overview', 'health', 'settings'].map((panel) => `${id}?panel=${panel}`);
    for (const path of ['new', 'new/graylog', ...panels]) {
      await page.goto(`${demo.url}/integrations/${path}`);
      await untilLoaded(page);
      await look(page, `integrations, ${path.replace(id, 'one')}`);
    }
  });

  test('each step of a set-up', async () => {
    const admin = userOf(demo, 'Admin');
    const id = randomUUID();
    const steps = ['allow-list', 'reachability', 'source'];
    await apiOf(demo, admin).call('onboarding.save', {
      params: { tenant: admin.tenant, id },
      body: { kind: 'connector', title: 'A set-up to look at', step: 'source', steps, data: {} },
    });
    for (const step of steps) {
      await page.goto(`${demo.url}/set-up/${id}?step=${step}`);
      await untilLoaded(page);
      await look(page, `set-up, ${step}`);
    }
    await apiOf(demo, admin).call('onboarding.delete', { params: { tenant: admin.tenant, id } });
  });

  test('the browser had nothing to complain about', () => {
    expect(problems).toEqual([]);
  });
});

/** Placeholders give way to what the screen is about. */
async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(() => page.locator('[aria-busy=true]').count(), { timeout: 30_000 }).toBe(0);
}

describe('a reader', () => {
  test('sees the question of a run and may not answer it', async () => {
    const { page } = await openPage(browser);
    await page.goto(demo.url);
    await signIn(page, /Tom Okafor/);
    // Other runs of the same playbook may be newer: other files share the product.
    await page.goto(`${demo.url}/activity/playbooks/${waiting.alert_responses[0]?.workflow_instance_id}`);
    await page.getByText(`Block ${guesser} on the firewall?`).first().waitFor();
    expect(await page.getByRole('button', { name: 'Block', exact: true }).first().isDisabled()).toBe(true);
  });
});
