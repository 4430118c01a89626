import { randomBytes } from 'node:crypto';
import type { OutboxMail } from '@airdeck/contracts/system/schema';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AirdeckProcess, type DemoFile, startAirdeck } from '../src/airdeck-process.ts';
import { adminOf, apiOf, sandboxConnector, sandboxState } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { mailTo } from '../src/mails.ts';
import { createPerson, openAs, type Person } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { behindProxy } from '../src/visitor.ts';

const TENANT = 'Meridian Foods';
const patient = { timeout: 60_000 };
/** What only its owner may know. */
const SECRET = randomBytes(12).toString('hex');

/** A product of its own: its vendors fail, and it is killed. */
let airdeck: AirdeckProcess;
let demo: DemoFile;
let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  airdeck = await startAirdeck(behindProxy);
  demo = airdeck.demo;
  person = await createPerson(demo, 'SystemManager', { fullname: 'Noa Notified', tenant: TENANT });
  ({ page } = await openAs(browser, demo, person.visitor));
});
afterAll(async () => {
  await browser?.close();
  await airdeck?.close();
});

const hookAt = (path: string) => `http://127.0.0.1:${demo.ports.sandbox}/hooks/${path}`;
const hooksAt = async (path: string) =>
  (await sandboxState(demo)).hooks.filter((hook) => hook.path === `/hooks/${path}`).map(({ body }) => body);
const bell = () => page.getByRole('button', { name: /^Notifications, \d+ unread$/ });

async function openCase(name: string): Promise<string> {
  const admin = adminOf(demo, TENANT);
  const made = await apiOf(demo, admin).call('cases.create', {
    params: { tenant: admin.tenant },
    body: { alert_name: name, assignee: person.email },
  });
  return made.id;
}

/** The switch of an event and a channel, set by keyboard. */
async function switchOn(name: string): Promise<void> {
  const control = page.getByRole('switch', { name });
  await control.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => control.isChecked(), patient).toBe(true);
}

async function save(): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Notifications saved').last().waitFor();
  await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
}

test('channels are set by keyboard and tested, and the address of Slack is never shown again', async () => {
  await page.goto(`${demo.url}/settings/notifications`);
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
  await switchOn('A case is assigned to you, in Slack');
  await switchOn('A case is assigned to you, by webhook');
  await switchOn('A connector is down, in Slack');
  await page.getByText('Without an address nothing goes there.').waitFor();
  await page.getByLabel('Address', { exact: true }).fill(hookAt('machine'));
  await save();
  const address = page.getByLabel('Address of an incoming webhook');
  await address.fill('slack, please');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a whole address').waitFor();
  await address.fill(hookAt(SECRET));
  await page.keyboard.press('Enter');
  await page.getByText(`Messages go to 127.0.0.1:${demo.ports.sandbox}`).waitFor();
  await page.getByRole('button', { name: 'Send a test to Slack' }).press('Enter');
  await page.getByText('The test was accepted.').waitFor();
  expect((await hooksAt(SECRET)).map(({ text }) => text)).toEqual([expect.stringContaining('this is a test')]);
  await page.getByRole('button', { name: 'Send a test to the webhook' }).press('Enter');
  await expect.poll(async () => (await hooksAt('machine')).map(({ kind }) => kind), patient).toEqual(['test']);

  await page.reload();
  await page.getByText('stored encrypted and never shown again').waitFor();
  expect(await page.content()).not.toContain(SECRET);
  expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(SECRET);
  await look(page, 'notification settings');

  await page.getByRole('button', { name: 'Replace the Slack address' }).click();
  await address.fill('http://169.254.169.254/services/inside');
  await page.keyboard.press('Enter');
  await page.getByText('Messages go to 169.254.169.254').waitFor();
  await page.getByRole('button', { name: 'Send a test to Slack' }).click();
  await page.getByText('The test did not arrive.').waitFor();
  await page.getByRole('button', { name: 'Replace the Slack address' }).click();
  await address.fill(hookAt(SECRET));
  await page.keyboard.press('Enter');
  await page.getByText(`Messages go to 127.0.0.1:${demo.ports.sandbox}`).waitFor();
});

test('a case that becomes one’s own is told in the app, by mail, by webhook and in Slack, each with the way to it', async () => {
  const id = await openCase('Odd sign-in of a printer');
  const path = `/air/case-management/${id}`;
  await expect
    .poll(async () => (await hooksAt(SECRET)).map(({ text }) => text), patient)
    .toContainEqual(expect.stringContaining(`<${demo.url}${path}|`));
  await expect
    .poll(() => hooksAt('machine'), patient)
    .toContainEqual(expect.objectContaining({ kind: 'case_assigned', link: path }));
  const { text } = await mailTo(demo, person.email, /Odd sign-in of a printer/);
  expect(text).toContain(`${demo.url}${path}`);
  await bell().click();
  await page.getByRole('link', { name: /is yours: Odd sign-in of a printer/ }).click();
  await page.waitForURL((url) => url.pathname === path);
  await page
    .getByRole('heading', { name: /Odd sign-in of a printer/ })
    .first()
    .waitFor();
});

test('a connector that goes down is told once, and once when it works again', async () => {
  const connector = await sandboxConnector(demo);
  const admin = adminOf(demo, TENANT);
  const testNow = () =>
    apiOf(demo, admin).call('connectors.test', { params: { tenant: admin.tenant, id: connector.id } });
  const told = async () =>
    (await hooksAt(SECRET)).flatMap(({ text }) => /\|(FortiGate [^>]*)>/.exec(String(text))?.[1] ?? []);
  expect((await testNow()).status).toBe('success');
  await disturb({ vendor: 'fortigate', kind: 'unavailable', times: 1000 });
  for (let attempt = 0; attempt < 2; attempt++) expect((await testNow()).status).toBe('error');
  await expect.poll(told, { timeout: 120_000 }).toEqual([`${connector.name} is down`]);
  // Forgets what was received, too.
  await fetch(`http://127.0.0.1:${demo.ports.sandbox}/sandbox/reset`, { method: 'POST' });
  expect((await testNow()).status).toBe('success');
  await expect.poll(told, { timeout: 120_000 }).toEqual([`${connector.name} works again`]);
}, 300_000);

test('what was told when the product was killed is mailed once', async () => {
  const word = randomBytes(4).toString('hex');
  const names = Array.from({ length: 12 }, (_, index) => `Killed ${word} ${index + 1}.`);
  await Promise.all(names.map(openCase));
  await airdeck.kill();
  await airdeck.restart();
  const mailed = async () => {
    const mails = (await (await fetch(new URL('/demo/outbox', demo.url))).json()) as OutboxMail[];
    const own = mails.filter(({ to }) => to === person.email).map(({ text }) => text);
    return names.map((name) => own.join('\n').split(`is yours: ${name}`).length - 1);
  };
  // What goes beyond ten in a minute waits for the next.
  await expect.poll(mailed, { timeout: 120_000 }).toEqual(names.map(() => 1));
  await page.goto(`${demo.url}/home`);
  await bell().click();
  for (const name of names) {
    const told = page.getByRole('link', { name: `is yours: ${name}` });
    await told.first().waitFor();
    expect(await told.count(), name).toBe(1);
  }
}, 300_000);

async function disturb(what: { vendor: string; kind: string; times: number }): Promise<void> {
  await fetch(`http://127.0.0.1:${demo.ports.sandbox}/sandbox/disturb`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(what),
  });
}
