import type { Case } from '@airdeck/contracts/cases/schema';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { adminOf, apiOf } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { openGuessingCase } from '../src/guessing-case.ts';
import { createPerson, openAs, type Person } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { untilHome } from '../src/sign-in-steps.ts';

const GUESSER = '192.0.2.118';
/** A word no other journey's cases have, nor those of an earlier run. */
const WORD = `Orchardgate${Date.now().toString(36)}`;

const demo = inject('demo');
let browser: Browser;
let person: Person;
let page: Page;
let problems: string[];
let guessing: Case;

beforeAll(async () => {
  browser = await launchBrowser();
  guessing = await openGuessingCase(demo, GUESSER);
  person = await createPerson(demo, 'Analyst', { fullname: 'Cara Case' });
  ({ page, problems } = await openAs(browser, demo, person.visitor));
});
afterAll(async () => {
  await browser?.close();
});

const dialog = () => page.getByRole('dialog');
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const listOf = (q: string) => `${demo.url}/air/case-management?q=${encodeURIComponent(q)}`;

async function openByHand(name: string) {
  const { tenant, ...admin } = adminOf(demo, 'Meridian Foods');
  const body = { alert_name: `${WORD} ${name}`, alert_severity: 'high' } as const;
  return await apiOf(demo, { tenant, ...admin }).call('cases.create', { params: { tenant }, body });
}

/** Each step needs the one before. */
describe('cases', () => {
  test('one is opened by hand, mentions a colleague, and waits on the customer', async () => {
    await page.goto(`${demo.url}/home`);
    await untilHome(page);
    await page.goto(`${demo.url}/air/case-management`);
    await button('New case').click();
    await dialog().getByRole('button', { name: 'Open case' }).click();
    await dialog().getByText('Say in a few words what the case is about.').waitFor();
    await look(page, 'new case');
    await dialog().getByLabel('What is it about?').fill(`${WORD} phone call`);
    await dialog().getByLabel('Address').fill('198.51.100.77');
    await dialog().getByRole('button', { name: 'Open case' }).click();
    await heading(`${WORD} phone call`).waitFor();
    await page
      .getByRole('region', { name: /^Entities/ })
      .getByText('198.51.100.77')
      .waitFor();
    await page
      .getByRole('region', { name: 'Clock' })
      .getByText(/^Respond within/)
      .waitFor();
    const comment = page.getByLabel('Comment');
    await comment.fill('Please look, ');
    await comment.press('End');
    await page.keyboard.type(`@${person.email.split('@')[0]}`);
    await page.getByRole('option', { name: person.email }).waitFor();
    await page.keyboard.press('Enter');
    expect(await comment.inputValue()).toBe(`Please look, @${person.email} `);
    await button('Comment').click();
    await page.getByText(`Please look, @${person.email}`).waitFor();
    await button('Wait on customer').click();
    await page.getByText('Stands still: waits on the customer').waitFor();
    await look(page, 'case that waits');
    await button('Go on').click();
    await page.getByText('Stands still: waits on the customer').waitFor({ state: 'detached' });
  });

  test('several are chosen by keyboard, acknowledged together, and taken back', async () => {
    await openByHand('one');
    await openByHand('two');
    await page.goto(listOf(WORD));
    await row(`${WORD} two`).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('2 cases chosen').waitFor();
    await look(page, 'chosen cases');
    await button('Acknowledge').click();
    await page.getByText('2 cases acknowledged').waitFor();
    await row(`${WORD} two`).getByText('Acknowledged').waitFor();
    await look(page, 'outcome');
    await button('Undo').click();
    await page.getByText('Taken back', { exact: true }).waitFor();
    await row(`${WORD} two`).getByText('Open', { exact: true }).waitFor();
  });

  test('what the list shows is chosen at once and closed for a reason', async () => {
    await page.goto(listOf(WORD));
    await row(`${WORD} two`).waitFor();
    await page.getByLabel('Select all cases shown').check();
    await button('Close…').click();
    await dialog().getByRole('button', { name: 'Close 3 cases' }).click();
    await dialog().getByText('Choose why the cases are closed.').waitFor();
    await look(page, 'closing several');
    await dialog().getByLabel('Duplicate').check();
    await dialog().getByRole('button', { name: 'Close 3 cases' }).click();
    await page.getByText('3 cases closed as duplicate').waitFor();
  });

  test('on the board a case moves by keyboard and by its arrows', async () => {
    const moved = await openByHand('board');
    await page.goto(`${listOf(`${WORD} board`)}&view=board`);
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    await column('Open').getByText(moved.reference).waitFor();
    await look(page, 'board');
    await button(`Move ${moved.reference} to Acknowledged`).click();
    await column('Acknowledged').getByText(moved.reference).waitFor();
    await column('Acknowledged')
      .getByRole('link', { name: new RegExp(moved.reference) })
      .press('Shift+ArrowLeft');
    await column('Open').getByText(moved.reference).waitFor();
  });

  test('new cases wait above the list that is being read', async () => {
    await page.goto(listOf(WORD));
    await row(`${WORD} board`).waitFor();
    const first = () => page.locator('[data-row]').first().getByRole('link').textContent();
    const before = await first();
    await openByHand('live');
    await button('1 new case').waitFor();
    expect(await first()).toBe(before);
    await button('1 new case').click();
    await row(`${WORD} live`).waitFor();
  });

  test('an action is run on what the case is about, and is among its responses', async () => {
    await page.goto(`${demo.url}/air/case-management/${guessing.id}`);
    await button(`Run action on ${GUESSER}`).click();
    await dialog()
      .getByRole('link', { name: /^Check IP address/ })
      .waitFor();
    await look(page, 'actions for an address');
    await dialog()
      .getByRole('link', { name: /^Check IP address/ })
      .click();
    const form = dialog().getByRole('form', { name: 'Run Check IP address' });
    await form.waitFor();
    expect(await form.getByLabel(/^IP/).first().inputValue()).toBe(GUESSER);
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog().getByRole('region', { name: 'Result' }).getByText('Success').waitFor();
    await dialog()
      .getByRole('link', { name: new RegExp(guessing.reference) })
      .click();
    await heading(guessing.alert_name).waitFor();
    const responses = page.getByRole('region', { name: 'Responses' });
    await responses.getByRole('listitem').filter({ hasText: 'Check IP address' }).getByText('Success').waitFor();
    await page.getByText('started Check IP address').waitFor();
    await responses.getByRole('link', { name: 'Check IP address' }).click();
    await dialog().getByText(GUESSER).first().waitFor();
  });

  test('a false positive is suppressed, and the suppression ended', async () => {
    await page.goto(`${demo.url}/air/case-management/${guessing.id}`);
    await button('Close…').click();
    await dialog().getByLabel('False positive').check();
    await dialog().getByLabel('Suppress the same').selectOption('For 7 days');
    await look(page, 'closing with suppression');
    await dialog().getByRole('button', { name: 'Close case' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.goto(`${demo.url}/air/case-management`);
    await button('Suppressed').click();
    const end = dialog().getByRole('button', { name: `End the suppression of ${guessing.reference}` });
    await end.waitFor();
    await look(page, 'suppressed groups');
    await end.click();
    await end.waitFor({ state: 'detached' });
  });

  test('nothing went wrong in the browser meanwhile', () => {
    expect(problems).toEqual([]);
  });
});
