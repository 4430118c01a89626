import type { Case } from '@airdeck/contracts/cases/schema';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchBrowser } from '../src/browser.ts';
import { openGuessingCase } from '../src/guessing-case.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';

/** In no event and no case of anybody else. */
const GUESSER = '192.0.2.164';

const demo = inject('demo');
let browser: Browser;
let page: Page;
let problems: string[];
let guessing: Case;

beforeAll(async () => {
  browser = await launchBrowser();
  guessing = await openGuessingCase(demo, GUESSER);
  const person = await createPerson(demo, 'Analyst', { fullname: 'Pia Pivot' });
  ({ page, problems } = await openAs(browser, demo, person.visitor));
});
afterAll(async () => {
  await browser?.close();
});

const dialog = () => page.getByRole('dialog');
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const menuItem = (name: string | RegExp) => page.getByRole('menuitem', { name });

/** An event of the guesser beside the list, and what its address leads to. */
async function openPivots(): Promise<void> {
  await page.goto(`${demo.url}/search?query=src_ip:${GUESSER}`);
  await page
    .getByRole('row', { name: /Failed password/ })
    .first()
    .click();
  await dialog()
    .getByRole('button', { name: `What to do with src_ip ${GUESSER}` })
    .first()
    .click();
  await menuItem('Copy value').waitFor();
}

describe('a value of an event', () => {
  test('is searched for everywhere, whatever field it is in', async () => {
    await openPivots();
    await menuItem('Search this value everywhere').click();
    await page.waitForURL((url) => url.searchParams.get('query')?.startsWith('src_ip') === false);
    expect(new URL(page.url()).searchParams.get('query')).toContain(GUESSER);
    await page
      .getByRole('row', { name: /Failed password/ })
      .first()
      .waitFor();
  });

  test('leads to the cases it is in', async () => {
    await openPivots();
    await menuItem('Cases with this value').click();
    await heading('Case management').waitFor();
    await page.getByRole('row').filter({ hasText: guessing.reference }).waitFor();
  });

  test('is what an action is run on', async () => {
    await openPivots();
    await menuItem(/^Run an action on it/).click();
    await dialog()
      .getByRole('link', { name: /^Check IP address/ })
      .click();
    const form = dialog().getByRole('form', { name: 'Run Check IP address' });
    await form.waitFor();
    expect(await form.getByLabel(/^IP/).first().inputValue()).toBe(GUESSER);
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog().getByRole('region', { name: 'Result' }).getByText('Success').waitFor();
  });

  test('is what a new policy begins with', async () => {
    await openPivots();
    await menuItem('New policy with this value').click();
    const form = page.getByRole('main');
    await form.getByRole('combobox', { name: 'Values of condition 1' }).waitFor();
    await form.getByText(GUESSER, { exact: true }).first().waitFor();
    expect(await form.getByLabel('Field of condition 1').first().inputValue()).toBe('src_ip');
    await look(page, 'policy from a value');
  });

  test('the browser had nothing to complain about', () => {
    expect(problems).toEqual([]);
  });
});
