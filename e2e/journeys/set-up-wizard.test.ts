import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { adminOf, apiOf } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs, type Person, signInAgain } from '../src/people.ts';
import { untilHome } from '../src/sign-in-steps.ts';

const TENANT = 'Meridian Foods';
const TITLE = 'Connect your first systems';

const demo = inject('demo');
let browser: Browser;
let manager: Person;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  manager = await createPerson(demo, 'SystemManager', { fullname: 'Sam Setter', tenant: TENANT });
  ({ page, problems } = await openAs(browser, demo, manager.visitor));
});
afterAll(async () => {
  await browser?.close();
});

const stepOn = (of: Page) => of.getByRole('navigation', { name: 'Steps' }).locator('[aria-current=step]').textContent();

async function check(of: Page, kind: 'URL' | 'IPv4', address: string): Promise<void> {
  await of.getByText(kind, { exact: true }).click();
  await of.getByLabel('Address to call').fill(address);
  await of.getByRole('button', { name: 'Check', exact: true }).click();
}

/** Each step needs the one before. */
test('a set-up begins with the addresses to let in, which can be copied', async () => {
  await page.goto(`${demo.url}/set-up`);
  await page.getByRole('button', { name: 'Begin a set-up' }).click();
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  expect(await stepOn(page)).toContain('Let us in');
  const { tenant, ...admin } = adminOf(demo, TENANT);
  const { air_ips: addresses } = await apiOf(demo, { tenant, ...admin }).call('onboarding.air-ip', {
    params: { tenant },
  });
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) await page.getByText(address).first().waitFor();
  await page
    .getByText(/^nft add rule inet filter input/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'They are let in' }).click();
  await page.getByLabel('Address to call').waitFor();
  expect(await stepOn(page)).toContain('Check the way');
});

test('an address of the machine itself is refused with a sentence, whatever way it is written', async () => {
  const result = page.getByRole('status').filter({ hasText: 'Not reachable' });
  const loopback: readonly (readonly ['URL' | 'IPv4', string, string])[] = [
    ['URL', demo.url, 'localhost leads to an address that is not allowed (loopback).'],
    ['IPv4', `127.0.0.1:${new URL(demo.url).port}`, '127.0.0.1 leads to an address that is not allowed (loopback).'],
    ['URL', 'http://[::1]/', '::1 leads to an address that is not allowed (loopback).'],
  ];
  for (const [kind, address, sentence] of loopback) {
    await check(page, kind, address);
    await result.getByText(sentence).waitFor();
    await result
      .getByText('Private addresses, such as 10.0.0.5 or 192.168.1.5, are refused', { exact: false })
      .waitFor();
  }
});

test('what is no address is said at the field, and nothing is called', async () => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  await check(page, 'URL', 'fortigate');
  await page.getByText('Enter a whole address, such as https://fortigate.example.com:8443.').waitFor();
  expect(calls.filter((url) => url.includes('reachability_check'))).toEqual([]);
});

test('left in the middle, it goes on in another browser at the step it came to, with what was found', async () => {
  await page.goto(`${demo.url}/home`);
  await page.getByText('Set-ups in progress').waitFor();
  const other = await openAs(browser, demo, await signInAgain(demo, manager));
  await other.page.goto(`${demo.url}/home`);
  await untilHome(other.page);
  await other.page.getByText('Step 2 of 3').waitFor();
  await other.page.getByRole('link', { name: `Continue ${TITLE}` }).click();
  await other.page.getByLabel('Address to call').waitFor();
  expect(await stepOn(other.page)).toContain('Check the way');
  await other.page.getByText(/^Last check: \[::1\] was not reachable/).waitFor();
  // Nobody skips ahead by the address.
  await other.page.goto(`${other.page.url().split('?')[0]}?step=source`);
  await other.page.getByLabel('Address to call').waitFor();
  await other.page.getByRole('button', { name: 'Skip this check' }).click();
  await other.page.getByRole('heading', { name: 'Send events' }).waitFor();
  await other.context.close();
});

test('renamed and deleted in one browser, it is so in the other by itself', async () => {
  // Other journeys begin set-ups of their own.
  await page.getByText(/^Step 3 of 3 · begun by Sam/).waitFor();
  const other = await openAs(browser, demo, (await createPerson(demo, 'Admin', { tenant: TENANT })).visitor);
  await other.page.goto(`${demo.url}/set-up`);
  const more = (title: string) => other.page.getByRole('button', { name: `More for ${title}` });
  await more(TITLE).click();
  await other.page.getByRole('menuitem', { name: 'Rename' }).click();
  await other.page.getByRole('dialog').getByLabel('Name').fill('Firewall of the plant');
  await other.page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('link', { name: 'Continue Firewall of the plant' }).click();
  await page.getByRole('heading', { level: 1, name: 'Firewall of the plant' }).waitFor();

  await more('Firewall of the plant').click();
  await other.page.getByRole('menuitem', { name: 'Delete' }).click();
  await other.page.getByRole('dialog').getByRole('button', { name: 'Delete set-up' }).click();
  // It tells so for some seconds only.
  await other.page.getByText('Set-up deleted').waitFor();
  await page.getByText('This set-up is not in progress').waitFor();
  await other.context.close();
});

test('the browser had nothing to complain about', () => {
  expect(problems).toEqual([]);
});
