import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { adminOf, apiOf, sandboxState } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs, type Person } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { untilHome } from '../src/sign-in-steps.ts';
import { guessingRun, sendSyslog } from '../src/syslog-sender.ts';

/** Nobody else's guesser, and an automation only he is answered by: other journeys have cases of the same policy. */
const GUESSER = '192.0.2.91';
const BYSTANDER = '198.51.100.91';
const POLICY = 'SSH password guessing';
const NAME = 'Block at once';

const demo = inject('demo');
const admin = adminOf(demo, 'Meridian Foods');
let browser: Browser;
let person: Person;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  person = await createPerson(demo, 'Analyst', { fullname: 'Aki Automation' });
  ({ page, problems } = await openAs(browser, demo, person.visitor));
});
afterAll(async () => {
  // Others have cases of this policy too, which must not be answered by it.
  const rule = await policyId();
  await apiOf(demo, admin)
    .call('rule-responses.delete', { params: { tenant: admin.tenant, id: rule }, query: { response_name: NAME } })
    .catch(() => undefined);
  await browser?.close();
});

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });

async function policyId(): Promise<string> {
  const { rules } = await apiOf(demo, admin).call('policies.list', {
    params: { tenant: admin.tenant },
    query: { q: POLICY },
  });
  const found = rules.find(({ rule }) => rule.name === POLICY);
  if (!found) throw new Error(`The demo has no policy ${POLICY}.`);
  return found.id;
}

async function blockedAddresses(): Promise<string[]> {
  const { fortigate } = await sandboxState(demo);
  return fortigate.addresses.map(({ subnet }) => subnet.split(' ')[0] ?? '');
}

async function choose(label: string, typed: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('combobox', { name: label }).fill(typed);
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Each step needs the one before. */
describe('an automation', () => {
  test('is made for a policy: what it starts, what that gets from the case, and for which cases', async () => {
    await page.goto(`${demo.url}/home`);
    await untilHome(page);
    await page.goto(`${demo.url}/air/automation-settings`);
    await heading('Automation settings').waitFor();
    await page.getByRole('button', { name: 'New automation' }).click();
    await heading('New automation').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Choose the policy it answers.').waitFor();
    await choose('For cases of this policy', POLICY, POLICY);
    await page.getByText('One action', { exact: true }).click();
    await choose('Action', 'block address', 'Block address · FortiGate');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(NAME);
    await page.getByRole('button', { name: 'Insert reference into IPv4 address' }).click();
    await page.getByRole('textbox', { name: 'Search references' }).fill('group');
    await page.getByRole('button', { name: /group\.src_ip/ }).click();
    await page.getByRole('textbox', { name: 'Only if' }).fill(`group.src_ip == "${GUESSER}"`);
    await page.getByText(`src_ip of the group is “${GUESSER}”`).waitFor();
    await look(page, 'new automation');
  });

  test('tells what it would have done for a past case, and does nothing', async () => {
    const before = await blockedAddresses();
    await page.getByRole('button', { name: 'Try it' }).click();
    const outcome = page.getByRole('status', { name: 'What would have happened' });
    await outcome.getByText('It would not have started: the condition does not hold for this case.').waitFor();
    await outcome.getByText('What it would have got').waitFor();
    expect(await blockedAddresses()).toEqual(before);
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(NAME).waitFor();
    // A case somebody else opened meanwhile may have been looked at.
    const unasked = page.getByText('It was not asked to answer a case yet.');
    await unasked.or(page.getByText('Condition not met')).first().waitFor();
    await look(page, 'automation');
  });

  test('answers the case that events open, and its history shows it', async () => {
    await sendSyslog(demo.ports.syslog_tcp, guessingRun({ guesser: GUESSER, bystander: BYSTANDER }, new Date()));
    await vi.waitFor(async () => expect(await blockedAddresses()).toContain(GUESSER), {
      timeout: 60_000,
      interval: 250,
    });
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
          return await page.getByRole('main').getByText('Success', { exact: true }).count();
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0);
    await page.goto(`${demo.url}/air/automation-settings?q=${encodeURIComponent(NAME)}`);
    await page.getByText('1 of 1 succeeded').waitFor();
    await look(page, 'automation settings');
    const toggle = page.getByRole('switch', { name: `${NAME} switched on` });
    await toggle.press('Space');
    await page.getByText(`${NAME} is switched off`).waitFor();
    // Locked while it was saved, it lost the focus, and has it again.
    await toggle.and(page.locator(':focus')).waitFor();
  });

  test('shows in the overview, whose figures open as many cases as they say', async () => {
    await page.goto(`${demo.url}/air/overview`);
    await heading('Overview').waitFor();
    const answered = page.getByRole('link', { name: /cases?: answered by automation/ });
    await answered.waitFor();
    await look(page, 'overview of incident response');
    const technique = /^T\d{4} .*: ([\d,]+) cases?, /;
    const names = [
      /cases?: answered by automation/,
      /open cases?$/,
      /^\d+ cases? of SSH password guessing$/,
      technique,
    ];
    for (const name of names) {
      await page.goto(`${demo.url}/air/overview`);
      const link = page.getByRole('link', { name }).first();
      // Its own number stands beside that of a technique.
      const text =
        name === technique
          ? technique.exec((await link.getAttribute('aria-label')) ?? '')?.[1]
          : await link.textContent();
      const figure = Number(text?.replaceAll(/\D/g, ''));
      await link.click();
      await heading('Case management').waitFor();
      // The list before it may be there for a moment, and others open and close cases meanwhile.
      const listed = async () => {
        const footer = await page
          .getByText(/ of [\d,]+ cases?/)
          .first()
          .textContent();
        const count = Number(/of ([\d,]+)/.exec(footer ?? '')?.[1]?.replaceAll(',', ''));
        return Math.abs(count - figure) <= 5;
      };
      await expect.poll(listed, { timeout: 20_000 }).toBe(true);
    }
  });

  test('has bars in the overview that open the cases of their day', async () => {
    await page.goto(`${demo.url}/air/overview`);
    await page.locator('[data-chart] a').last().click();
    await heading('Case management').waitFor();
    const { searchParams } = new URL(page.url());
    const [from, to] = [searchParams.get('startTime'), searchParams.get('endTime')].map((time) =>
      Date.parse(time ?? ''),
    );
    expect((to ?? 0) - (from ?? 0)).toBeGreaterThan(0);
    // A day on which clocks are set back has an hour more.
    expect((to ?? 0) - (from ?? 0)).toBeLessThanOrEqual(25 * 3_600_000);
    await page
      .getByText(/ of [\d,]+ cases?/)
      .first()
      .waitFor();
  });

  test('is deleted by whoever says so twice', async () => {
    await page.goto(`${demo.url}/air/automation-settings?q=${encodeURIComponent(NAME)}`);
    await page.getByRole('link', { name: NAME, exact: true }).click();
    await heading(NAME).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await heading('Automation settings').waitFor();
    await page.getByText(`${NAME} was deleted`).waitFor();
    expect(problems).toEqual([]);
  });
});
