import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { adminOf, apiOf, apiOfBrowser } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { acceptInvitation, newEmail, openAs, type Person, signInAgain } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { untilHome } from '../src/sign-in-steps.ts';

/** What is polled for comes from a server and a browser that share a busy machine. */
const slow = { timeout: 60_000 };
/** Evaluated from outside the page: its content security policy lets nothing inside be made from text. */
const STORED = "localStorage.getItem('airdeck.home-widgets') ?? ''";

const demo = inject('demo');
let browser: Browser;
let admin: Person;
let page: Page;
let context: BrowserContext;
let problems: string[];

/** A tenant of its own, as new as they come. */
beforeAll(async () => {
  browser = await launchBrowser();
  const provider = adminOf(demo, 'Lumen Ridge Security');
  const [email, fullname] = [newEmail(), 'Nia Newfield'];
  const { id } = await apiOf(demo, provider).call('customers.create', {
    params: { tenant: provider.tenant },
    body: {
      name: `Newfield ${randomBytes(3).toString('hex')}`,
      sku_info: {
        ...{ sku_name: 'Pro', is_mdr_enabled: false, is_search_enabled: true },
        ...{ retention_length_days: 30, search_length_days: 30 },
      },
      admin: { email, fullname },
    },
  });
  admin = await acceptInvitation(demo, { email, fullname, tenant: id });
  ({ page, context, problems } = await openAs(browser, demo, admin.visitor));
  await page.goto(`${demo.url}/home`);
  await untilHome(page);
});
afterAll(async () => {
  await browser?.close();
});

const panel = () => page.getByRole('region', { name: 'First steps' });
const step = (title: string) => panel().getByRole('listitem').filter({ hasText: title });
const isDone = async (title: string) => (await step(title).getByText('Done', { exact: true }).count()) === 1;

test('a new tenant is told what to do first, and each step leads to its screen', async () => {
  await panel().waitFor();
  expect(await isDone('Connect a source')).toBe(false);
  expect(await isDone('See events')).toBe(false);
  expect(await isDone('Automate a response')).toBe(false);
  await look(page, 'home of a new tenant');
  for (const [link, address] of [
    ['Begin a set-up', '/set-up'],
    ['Open search', '/search'],
    ['Open policies', '/air/policy-management'],
    ['Open automations', '/air/automation-settings'],
  ] as const) {
    expect(await panel().getByRole('link', { name: link }).getAttribute('href')).toMatch(new RegExp(`^${address}/?$`));
  }
});

test('steps turn green by what there is, not by clicks', async () => {
  const tenant = admin.tenant;
  await panel().getByRole('link', { name: 'Begin a set-up' }).click();
  await page.waitForURL((url) => url.pathname === '/set-up');
  await page.goto(`${demo.url}/home`);
  await panel().waitFor();
  expect(await isDone('Connect a source')).toBe(false);

  const source = await apiOfBrowser(demo, context).call('sources.create', {
    params: { tenant },
    body: { name: 'First server', kind: 'ndjson' },
  });
  await expect.poll(() => isDone('Connect a source'), slow).toBe(true);
  expect(await isDone('See events')).toBe(false);
  const answer = await fetch(`${demo.url}/api/${tenant}/event/ingest/${source.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${source.token}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ message: 'the first event' })}\n`,
  });
  expect(answer.ok).toBe(true);
  await expect.poll(() => isDone('See events'), slow).toBe(true);
});

test('hidden, they stay hidden, in another browser too, and are found again', async () => {
  const lineOn = (on: Page) => on.getByRole('button', { name: /^First steps: \d of 4 done$/ });
  await panel().getByRole('button', { name: 'Hide' }).click();
  await expect.poll(() => page.evaluate(STORED), slow).toContain('"changed":false');
  await page.reload();
  await untilHome(page);
  await lineOn(page).waitFor();
  expect(await panel().count()).toBe(0);

  const other = await openAs(browser, demo, await signInAgain(demo, admin));
  await other.page.goto(`${demo.url}/home`);
  await untilHome(other.page);
  await lineOn(other.page).waitFor();
  await other.context.close();

  await lineOn(page).click();
  await panel().waitFor();
});

test('the browser had nothing to complain about', () => {
  expect(problems).toEqual([]);
});
