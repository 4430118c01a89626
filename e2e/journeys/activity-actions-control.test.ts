import type { JsonObject } from '@airdeck/contracts/fields';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { adminOf, apiOf, sandboxState } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';

const TENANT = 'Harbor Clinics';
/** Addresses nobody else looks up: the sandbox hangs or fails for these alone. */
const HANGING = '203.0.113.141';
const REFUSED = '203.0.113.142';
const LATER = '203.0.113.143';
/** A notification of this journey's own in the sandbox's Graylog. */
const NOTIFICATION = 'Pager of the harbor';

const demo = inject('demo');
const admin = adminOf(demo, TENANT);
const api = apiOf(demo, admin);
const params = { tenant: admin.tenant };
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  const analyst = await createPerson(demo, 'Analyst', { fullname: 'Remy Retry', tenant: TENANT });
  ({ page, problems } = await openAs(browser, demo, analyst.visitor));
});
afterAll(async () => {
  await browser?.close();
});

const panel = () => page.getByRole('dialog').filter({ hasText: 'Attempts' });
const inPanel = (name: string) => panel().getByRole('button', { name, exact: true });
const status = (word: string) => panel().getByText(word, { exact: true });

/** A run in the list, by what was asked for; the list brings new ones by itself. */
function row(name: string, words: string): Locator {
  return page
    .getByRole('region', { name: 'Action runs' })
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })
    .filter({ hasText: words });
}

/** A colleague begins it. */
async function start(action_name: string, action_input: JsonObject, more: { time_scheduled?: string } = {}) {
  const { details } = await api.call('actions-activity.start', {
    params,
    body: { action_name, action_input, ...more },
  });
  return details.context.action_uuid;
}

async function statusOf(id: string): Promise<string> {
  return (await api.call('actions-activity.get', { params: { ...params, id } })).summary.status;
}

async function disturb(disturbance: { vendor: string; kind: string; path: string; times: number; delay_ms?: number }) {
  const answer = await fetch(`http://127.0.0.1:${demo.ports.sandbox}/sandbox/disturb`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(disturbance),
  });
  expect(answer.status).toBe(200);
}

const lookUp = (address: string) => `/api/v2/check?ipAddress=${address}`;

async function openRun(id: string): Promise<void> {
  await page.goto(`${demo.url}/activity/actions?action=${id}`);
  await panel().waitFor();
}

/** The run that is shown, by the address. */
const shownRun = () => new URL(page.url()).searchParams.get('action');

describe('a run that hangs', () => {
  let id: string;

  test('shows up while somebody looks, and is cancelled after the question', async () => {
    await page.goto(`${demo.url}/activity/actions`);
    await page.getByRole('heading', { level: 1, name: 'Action runs' }).waitFor();
    await disturb({ vendor: 'abuseipdb', kind: 'slow', path: lookUp(HANGING), times: 50, delay_ms: 120_000 });
    id = await start('abuseipdb.check_ip', { ip: HANGING });
    await row('Check IP address', 'Running').click();
    await status('Running').waitFor();
    await panel().getByRole('region', { name: 'Input', exact: true }).getByText(HANGING).waitFor();
    await panel().getByText('Not there yet.').waitFor();
    await look(page, 'action run under way');

    const question = page.getByRole('dialog', { name: 'Cancel “Check IP address”?' });
    await inPanel('Cancel').click();
    await question.getByText('It is stopped where it is.').waitFor();
    await question.getByRole('button', { name: 'Cancel', exact: true }).last().click();
    await question.waitFor({ state: 'detached' });
    expect(await statusOf(id)).toBe('running');

    await inPanel('Cancel').click();
    await question.getByRole('button', { name: 'Cancel action' }).click();
    await page.getByText('Check IP address cancelled').waitFor();
    await status('Cancelled').waitFor();
    expect(await statusOf(id)).toBe('cancelled');
    expect(await inPanel('Cancel').count()).toBe(0);
  });

  test('stands in the list as cancelled', async () => {
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
    await row('Check IP address', 'Cancelled').first().waitFor();
    expect(await row('Check IP address', 'Running').count()).toBe(0);
  });
});

describe('a run for later', () => {
  test('says when it is due, and is cancelled before it begins', async () => {
    const at = new Date(Date.now() + 2 * 3_600_000).toISOString();
    const id = await start('abuseipdb.check_ip', { ip: LATER }, { time_scheduled: at });
    await row('Check IP address', 'due').click();
    await status('Pending').waitFor();
    await panel().getByText('It has not begun').waitFor();
    await inPanel('Cancel').click();
    const question = page.getByRole('dialog', { name: 'Cancel “Check IP address”?' });
    await question.getByText('It has not begun, and will not.').waitFor();
    await question.getByRole('button', { name: 'Cancel action' }).click();
    await status('Cancelled').waitFor();
    await panel().getByText('It never began').waitFor();
    expect(await statusOf(id)).toBe('cancelled');
    const asked = (await sandboxState(demo)).calls.filter(({ path }) => path.includes(LATER));
    expect(asked).toEqual([]);
  });
});

describe('a run that failed', () => {
  let failed: string;

  test('says why and what to do, and runs once more beside the old one', async () => {
    await disturb({ vendor: 'abuseipdb', kind: 'unauthorized', path: lookUp(REFUSED), times: 1 });
    failed = await start('abuseipdb.check_ip', { ip: REFUSED });
    await expect.poll(() => statusOf(failed), { timeout: 60_000 }).toBe('error');
    await openRun(failed);
    await status('Error').waitFor();
    await panel().getByText('The stored credentials were refused.').waitFor();
    await panel().getByText('VENDOR_CREDENTIALS_REFUSED').waitFor();
    await look(page, 'action run that failed');
    await inPanel('Run once more').click();
    await expect.poll(shownRun, { timeout: 60_000 }).not.toBe(failed);
    await status('Success').waitFor();
    await panel().getByRole('region', { name: 'Input', exact: true }).getByText(REFUSED).waitFor();
    expect(await statusOf(failed)).toBe('error');
    expect(await statusOf(shownRun() ?? '')).toBe('success');
  });

  test('both stand in the list; the back button does not run it again', async () => {
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
    await row('Check IP address', 'Success').first().waitFor();
    await row('Check IP address', 'Error').first().waitFor();
    const asked = async () => (await sandboxState(demo)).calls.filter(({ path }) => path.includes(REFUSED)).length;
    expect(await asked()).toBe(2);
    await page.goBack();
    await panel().waitFor();
    expect(await asked()).toBe(2);
  });

  test('what destroys is asked about again before it runs once more', async () => {
    const path = `/events/notifications/${await makeNotification()}`;
    const deletions = async () =>
      (await sandboxState(demo)).calls.filter((call) => call.method === 'DELETE' && call.path.endsWith(path));
    await disturb({ vendor: 'graylog', kind: 'forbidden', path, times: 1 });
    const body = { action_name: 'graylog.delete_notification', action_input: { notification_title: NOTIFICATION } };
    await api.call('actions-activity.start', { params, body }).catch(() => undefined);
    const { details } = await api.call('actions-activity.start', { params, body, confirm: {} });
    const id = details.context.action_uuid;
    await expect.poll(() => statusOf(id), { timeout: 60_000 }).toBe('error');
    const before = (await deletions()).length;

    await openRun(id);
    await inPanel('Run once more').click();
    const question = page.getByRole('dialog', { name: /Delete notification/ }).filter({ hasNotText: 'Attempts' });
    await question.getByText(`Notification “${NOTIFICATION}”`).waitFor();
    await question.getByRole('button', { name: 'Cancel' }).last().click();
    await question.waitFor({ state: 'detached' });
    expect(shownRun()).toBe(id);
    expect(await deletions()).toHaveLength(before);

    await inPanel('Run once more').click();
    await question.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(shownRun, { timeout: 60_000 }).not.toBe(id);
    await status('Success').waitFor();
    expect(await deletions()).toHaveLength(before + 1);
    expect((await sandboxState(demo)).graylog.notifications.map(({ title }) => title)).not.toContain(NOTIFICATION);
  });

  test('is nothing that somebody who only reads may run or cancel', async () => {
    const reader = await openAs(browser, demo, (await createPerson(demo, 'ReadOnly', { tenant: TENANT })).visitor);
    await reader.page.goto(`${demo.url}/activity/actions?action=${failed}`);
    const again = reader.page.getByRole('button', { name: 'Run once more' });
    await again.waitFor();
    expect(await again.getAttribute('aria-disabled')).toBe('true');
    expect(await again.getAttribute('aria-description')).toBe('Your role does not allow this.');
    expect(reader.problems).toEqual([]);
    await reader.context.close();
  });

  test('the browser had nothing to complain about but the questions it was asked', () => {
    expect(problems.filter((problem) => !/status of 449/.test(problem))).toEqual([]);
  });
});

/** Id in the sandbox's Graylog. */
async function makeNotification(): Promise<string> {
  const address = `http://127.0.0.1:${demo.ports.sandbox}/pager`;
  await api.call('actions.run-now', {
    params,
    body: {
      action_name: 'graylog.create_http_notification',
      action_input: { title: NOTIFICATION, url: address },
      connector_id: null,
    },
  });
  const { notifications } = (await sandboxState(demo)).graylog;
  const made = notifications.find(({ title }) => title === NOTIFICATION);
  if (made === undefined) throw new Error('The notification was not made.');
  return made.id;
}
