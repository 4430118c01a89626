import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { adminOf, apiOf, sandboxState } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { untilHome } from '../src/sign-in-steps.ts';

/** Of the sandbox's Graylog; nobody else switches the one or automates the other. */
const SWITCHED = 'New member of Domain Admins';
const ANSWERED = 'Port scan from outside';
const NAME = 'Look up who scans';
/** Nobody else's scanner. */
const SCANNER = '203.0.113.97';

const demo = inject('demo');
const admin = adminOf(demo, 'Meridian Foods');
let browser: Browser;
let page: Page;
let problems: string[];
/** Once the automation is made. */
let ruleId: string | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  const person = await createPerson(demo, 'Analyst', { fullname: 'Gale Logger' });
  ({ page, problems } = await openAs(browser, demo, person.visitor));
});
afterAll(async () => {
  const params = { tenant: admin.tenant };
  const rules = await apiOf(demo, admin).call('automation-rules.list', { params, query: { q: NAME } });
  for (const { id } of rules) {
    await apiOf(demo, admin)
      .call('automation-rules.delete', { params: { ...params, id }, query: { force: 'true' } })
      .catch(() => undefined);
  }
  await browser?.close();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const drawer = () => page.getByRole('dialog');

async function definitionInGraylog(title: string) {
  const found = (await sandboxState(demo)).graylog.definitions.find((definition) => definition.title === title);
  if (found === undefined) throw new Error(`The sandbox has no event definition ${title}.`);
  return found;
}

/** Notifications in Graylog of this journey's automation; other journeys make their own. */
async function ruleNotifications(): Promise<string[]> {
  const { notifications } = (await sandboxState(demo)).graylog;
  return notifications.map(({ title }) => title).filter((title) => ruleId !== undefined && title.endsWith(ruleId));
}

/** Each step needs the one before. */
describe('log management', () => {
  test('begins with figures of the alerts, each leading to what is behind it', async () => {
    await page.goto(`${demo.url}/home`);
    await untilHome(page);
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Alerts' }).click();
    await heading('Alerts').waitFor();
    const names = () => page.locator('main li h2').allTextContents();
    const choose = async (widget: string, item: string) => {
      await page.getByRole('button', { name: new RegExp(`place and size of ${widget}$`) }).press('Enter');
      await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
    };
    // With what moves them, which comes later and takes the place of what was there.
    await page
      .getByRole('button', { name: /^Size of / })
      .first()
      .waitFor({ state: 'attached' });
    await choose('Alert history', 'Move earlier');
    await choose('Low priority alerts', 'Remove');
    const arranged = ['High priority alerts', 'Triggered alerts', 'Medium priority alerts', 'Alert history'];
    await expect.poll(names).toEqual(arranged);
    await page.reload();
    await heading('Alerts').waitFor();
    await expect.poll(names).toEqual(arranged);
    const figure = page.getByRole('link', { name: /^\d+, Medium priority alerts: show them$/ });
    const count = Number((await figure.textContent())?.trim());
    expect(count).toBeGreaterThan(0);
    await figure.click();
    await heading('Triggered alerts').waitFor();
    await page.getByText(new RegExp(`^${count} alerts`)).waitFor();
    expect(new URL(page.url()).searchParams.get('priority')).toBe('2');
  });

  test('an alert shows its fields, leads to its messages, and becomes a case', async () => {
    await page.getByLabel('Search in alerts').fill(`${ANSWERED} bo.estrup`);
    await page
      .getByRole('row', { name: new RegExp(ANSWERED) })
      .first()
      .click();
    await drawer().getByText('action:deny').waitFor();
    await drawer().getByText('bo.estrup').first().waitFor();
    const alerts = page.url();
    await drawer().getByRole('button', { name: 'Search its messages' }).click();
    await heading('Search').waitFor();
    const asked = new URL(page.url()).searchParams;
    expect([asked.get('query'), asked.get('connector_id')]).toEqual([
      '(action:deny) AND streams:(000000000000000000000001)',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    await page.goto(alerts);
    await drawer().getByRole('button', { name: 'Make a case' }).click();
    const form = page.getByRole('dialog', { name: 'New case' });
    expect(await form.getByLabel('User').inputValue()).toBe('bo.estrup');
    expect(await form.getByLabel('Severity').inputValue()).toBe('medium');
    await form.getByLabel('What is it about?').fill(`${ANSWERED}, by hand`);
    await form.getByRole('button', { name: 'Open case' }).click();
    await page.getByRole('heading', { level: 1, name: `${ANSWERED}, by hand` }).waitFor();
  });

  test('an event definition is disabled and enabled in Graylog itself', async () => {
    await page.goto(`${demo.url}/graylog/event-definitions`);
    const control = page.getByRole('switch', { name: `${SWITCHED} enabled` });
    for (const [state, word] of [
      ['DISABLED', 'disabled'],
      ['ENABLED', 'enabled'],
    ] as const) {
      await control.press('Space');
      await page.getByText(`${SWITCHED} is ${word} in Graylog`).waitFor();
      expect((await definitionInGraylog(SWITCHED)).state).toBe(state);
    }
  });

  test('an automation is made for one: what it starts, and what that gets from the alert', async () => {
    await page.getByRole('row', { name: new RegExp(ANSWERED) }).click();
    await drawer().getByText('Nothing starts by itself when it raises an alert.').waitFor();
    await drawer().getByRole('link', { name: 'Automate' }).click();
    await heading('New automation').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Choose the playbook it starts.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(NAME);
    await page.getByText('One action', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Action' }).fill('check ip');
    await page.getByRole('option', { name: 'Check IP address · AbuseIPDB', exact: true }).click();
    await page.getByRole('textbox', { name: 'IP address', exact: true }).fill('{{ alert.fields.src_ip }}');
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(NAME).waitFor();
    await page.getByText('Attached', { exact: true }).waitFor();
    await page.getByText('It was not asked to answer an alert yet.').waitFor();
    ruleId = new URL(page.url()).pathname.split('/').at(-1);
    expect(ruleId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ruleNotifications()).toHaveLength(1);
    await look(page, 'automation of log management');
  });

  test('answers an alert that Graylog raises, and its history leads to the run', async () => {
    const fired = await fetch(`http://127.0.0.1:${demo.ports.sandbox}/graylog/sandbox/fire`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ event_definition_title: ANSWERED, fields: { src_ip: SCANNER } }),
    });
    expect(await fired.json()).toMatchObject({ deliveries: [{ status: 202 }] });
    const runs = page
      .getByRole('listitem')
      .filter({ hasText: 'Success' })
      .getByRole('link', { name: 'Run', exact: true });
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
          await page.getByText(ANSWERED).last().waitFor();
          return await runs.count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await runs.click();
    await heading('Action runs').waitFor();
    await drawer().getByText(SCANNER).first().waitFor();
  });

  test('what somebody took away in Graylog is put back by looking', async () => {
    await page.goto(`${demo.url}/graylog/event-definitions`);
    await page.getByRole('row', { name: new RegExp(ANSWERED) }).click();
    await drawer().getByText(`Automation: ${NAME}`).waitFor();
    await drawer()
      .getByRole('button', { name: `Remove ${NAME} from ${ANSWERED}` })
      .click();
    const question = page.getByRole('dialog', { name: `Remove ${NAME}?` });
    await question.getByText(`The automation ${NAME} gets no more alerts until it is repaired.`).waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText(`${ANSWERED} no longer notifies ${NAME}`).waitFor();
    expect((await definitionInGraylog(ANSWERED)).notifications).toEqual([]);
    await page.goto(`${demo.url}/graylog/automation-settings?q=${encodeURIComponent(NAME)}`);
    await page.getByRole('link', { name: NAME, exact: true }).click();
    await page.getByRole('button', { name: /^(Check|Repair): / }).click();
    await page.getByText(`The notification of ${NAME} is attached in Graylog`).waitFor();
    expect((await definitionInGraylog(ANSWERED)).notifications).toHaveLength(1);
  });

  test('is deleted by whoever says so twice, here and in Graylog', async () => {
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: `Delete ${NAME}?` });
    await question.getByText('its notification is taken out of Graylog').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await heading('Automation settings').waitFor();
    await page.getByText(`${NAME} was deleted`).waitFor();
    expect(await ruleNotifications()).toEqual([]);
    expect((await definitionInGraylog(ANSWERED)).notifications).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a reader sees alerts and definitions, and finds no way to change them', async () => {
    const reader = await openAs(browser, demo, (await createPerson(demo, 'ReadOnly')).visitor);
    await reader.page.goto(`${demo.url}/graylog`);
    await reader.page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await reader.page
      .getByRole('row', { name: /Repeated failed logons/ })
      .first()
      .waitFor();
    const tabs = reader.page.getByRole('navigation', { name: 'Log management' });
    expect(await tabs.getByRole('link').allTextContents()).toEqual(['Alerts', 'Triggered alerts', 'Event definitions']);
    await tabs.getByRole('link', { name: 'Event definitions' }).click();
    expect(await reader.page.getByRole('switch', { name: `${SWITCHED} enabled` }).isDisabled()).toBe(true);
    expect(reader.problems).toEqual([]);
    await reader.context.close();
  });
});
