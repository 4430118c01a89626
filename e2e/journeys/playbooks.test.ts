import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { adminOf, apiOf, demoPlaybook, sandboxState } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { mailTo } from '../src/mails.ts';
import { createPerson, openAs, type Person } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { untilHome } from '../src/sign-in-steps.ts';

const PLAYBOOK = 'Block a guessing address';
/** Blocked, left alone and tried by nobody else. */
const BLOCKED = '203.0.113.85';
const LEFT = '203.0.113.86';
const TRIED = '203.0.113.87';

const demo = inject('demo');
let browser: Browser;
let person: Person;
let page: Page;
let problems: string[];
let playbookId: string;

beforeAll(async () => {
  browser = await launchBrowser();
  person = await createPerson(demo, 'Analyst', { fullname: 'Pia Playbook' });
  ({ page, problems } = await openAs(browser, demo, person.visitor));
  playbookId = (await demoPlaybook(demo, PLAYBOOK)).id;
});
afterAll(async () => {
  await browser?.close();
});

const drawer = () => page.getByRole('dialog');
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const status = (word: string) => page.getByRole('main').getByText(word, { exact: true }).first();

async function blockedAddresses(): Promise<string[]> {
  const { fortigate } = await sandboxState(demo);
  return fortigate.addresses.map(({ subnet }) => subnet.split(' ')[0] ?? '');
}

/** Each step needs the one before. */
describe('a playbook', () => {
  test('is found, opened and run by keyboard alone, and its question answered where it is asked', async () => {
    await page.goto(`${demo.url}/home`);
    await untilHome(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Playbooks', exact: true }).press('Enter');
    await heading('Playbooks').waitFor();
    await page.getByRole('row', { name: PLAYBOOK }).waitFor();
    await look(page, 'playbooks');
    await page.getByLabel('Search playbooks').focus();
    await page.keyboard.type('guessing');
    await page.getByRole('row', { name: 'Phishing triage' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await drawer().getByText('3 steps').waitFor();
    await look(page, 'playbook beside the list');
    await drawer().getByRole('tab', { name: 'About' }).focus();
    await page.keyboard.press('ArrowRight');
    const address = drawer().getByRole('textbox', { name: 'Address' });
    await address.focus();
    await page.keyboard.press('Enter');
    await drawer().getByText('One field needs another look.').waitFor();
    await page.keyboard.type(BLOCKED);
    await page.keyboard.press('Enter');
    const run = drawer().getByRole('region', { name: 'The run' });
    await run.getByText(`Block ${BLOCKED} on the firewall?`).waitFor();
    expect(await blockedAddresses()).not.toContain(BLOCKED);
    await look(page, 'run in the drawer');
    await run.getByRole('button', { name: 'Block', exact: true }).press('Enter');
    await run.getByText('Success', { exact: true }).waitFor();
    expect(await blockedAddresses()).toContain(BLOCKED);
  });

  test('its run tells what was done, by whom, and leads back to the playbook', async () => {
    await drawer().getByRole('link', { name: 'Open the run' }).click();
    await heading(PLAYBOOK).waitFor();
    await page.getByText('Pia Playbook chose Block').waitFor();
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    await look(page, 'run that ended');
    await page.getByRole('main').getByRole('link', { name: PLAYBOOK }).click();
    await page.waitForURL(`**/playbooks/${playbookId}`);
    await page.getByRole('img', { name: /^Last .*success/ }).waitFor();
  });

  test('shows its graph, its words, its YAML, its versions, its runs and what uses it', async () => {
    await page.getByLabel('Steps of this playbook').first().waitFor();
    await look(page, 'playbook');
    const part = (name: string) =>
      page.getByRole('navigation', { name: 'Parts of the playbook' }).getByRole('link', { name });
    await part('Definition').click();
    await page.getByText('Answers: “Block”, “Leave it”.').waitFor();
    await look(page, 'definition');
    await page.getByText('YAML', { exact: true }).click();
    await page.getByRole('region', { name: 'YAML of this playbook' }).getByText(`name: ${PLAYBOOK}`).waitFor();
    await look(page, 'YAML');
    await part('Versions').click();
    await page.getByText('Runs now').waitFor();
    await look(page, 'versions');
    await part('Runs').click();
    await page.getByRole('region', { name: 'Playbook runs' }).getByText('Pia Playbook').first().waitFor();
    await look(page, 'runs of a playbook');
    await part('Used by').click();
    await page.getByText('Policies that answer with it').waitFor();
    await look(page, 'what uses a playbook');
  });

  test('cannot be deleted while a policy starts it', async () => {
    await page.getByRole('button', { name: `More for ${PLAYBOOK}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await drawer().getByText('It cannot be deleted while something starts it:').waitFor();
    expect(await drawer().getByRole('button', { name: 'Delete playbook' }).count()).toBe(0);
    await drawer().getByRole('button', { name: 'Close' }).click();
  });
});

describe('a try', () => {
  test('really runs only what reads', async () => {
    await page.goto(`${demo.url}/playbooks/${playbookId}`);
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await drawer().getByRole('textbox', { name: 'Address' }).fill(TRIED);
    await drawer().getByRole('button', { name: 'Try', exact: true }).click();
    const run = drawer().getByRole('region', { name: 'The run' });
    await run.getByText('Dry run', { exact: true }).waitFor();
    await run.getByRole('button', { name: 'Block', exact: true }).click();
    await run.getByText('Success', { exact: true }).waitFor();
    await run.getByRole('link', { name: 'Open the run' }).click();
    await page.getByRole('button', { name: /^Block .*Not called, as this is a try/ }).click();
    await page.getByText('The input is what it would have been called with.').waitFor();
    await look(page, 'dry run');
    expect(await blockedAddresses()).not.toContain(TRIED);
  });
});

describe('a run', () => {
  test('that waits is cancelled after a question, and what did not happen is done by a retry', async () => {
    await page.goto(`${demo.url}/playbooks/?action=${playbookId}&settings=run`);
    await drawer().getByRole('textbox', { name: 'Address' }).fill(LEFT);
    await drawer().getByRole('button', { name: 'Run', exact: true }).click();
    await drawer().getByText(`Block ${LEFT} on the firewall?`).waitFor();
    await drawer().getByRole('link', { name: 'Open the run' }).click();
    await heading(PLAYBOOK).waitFor();
    await look(page, 'run that waits');
    await page.getByRole('button', { name: 'Cancel run' }).click();
    await drawer().getByRole('button', { name: 'Cancel run' }).click();
    await status('Cancelled').waitFor();
    await page.getByRole('button', { name: 'Retry what failed' }).click();
    await drawer()
      .getByText(/takes over what succeeded/)
      .waitFor();
    await drawer().getByRole('button', { name: 'Retry what failed' }).click();
    await page.getByRole('link', { name: 'Retries an earlier run' }).waitFor();
    await page.getByText('Taken over from the run this one retries').waitFor();
    await page.getByRole('button', { name: 'Leave it' }).click();
    await page.getByText('Pia Playbook chose Leave it').waitFor();
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    expect(await blockedAddresses()).not.toContain(LEFT);
  });

  test('is answered from the mail, by whoever it was sent to', async () => {
    const api = apiOf(demo, adminOf(demo, 'Meridian Foods'));
    const run = await api.call('playbook-activity.start', {
      params: { tenant: person.tenant },
      body: { playbook_id: playbookId, inputs: { ip: LEFT } },
    });
    const ofRun = new RegExp(`${run.summary.workflow_uuid}[?]prompt=`);
    const linkTo = async (address: string, option: string) => {
      const { text } = await mailTo(demo, address, ofRun);
      return text.split(`${option}:\n`)[1]?.split('\n')[0] ?? '';
    };
    // The outbox shows the newest mails alone, and others get some meanwhile.
    const [toAdmin, toPerson] = await Promise.all([
      linkTo(adminOf(demo, 'Meridian Foods').email, 'Leave it'),
      linkTo(person.email, 'Leave it'),
    ]);
    await page.goto(toAdmin);
    await page.getByText(/The link you came by .* was made for somebody else/).waitFor();
    await page.goto(toPerson);
    await page.getByText('You are about to answer Leave it.').waitFor();
    await look(page, 'answer from a mail');
    await page.getByRole('button', { name: 'Answer: Leave it' }).click();
    await page.getByText('Pia Playbook chose Leave it').waitFor();
  });
});

describe('a copy', () => {
  test('is a draft that cannot be run, and is deleted', async () => {
    await page.goto(`${demo.url}/playbooks/${playbookId}`);
    await page.getByRole('button', { name: `More for ${PLAYBOOK}` }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    const name = `Copy of ${person.email}`;
    await drawer().getByLabel('Name of the copy').fill(name);
    await drawer().getByRole('button', { name: 'Duplicate' }).click();
    await heading(name).waitFor();
    await page.getByText('Draft', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Run', exact: true }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: `More for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await drawer().getByRole('button', { name: 'Delete playbook' }).click();
    await heading('Playbooks').waitFor();
    await page.getByRole('row', { name: PLAYBOOK }).waitFor();
    await page.getByRole('row', { name }).waitFor({ state: 'detached' });
  });
});

describe('YAML', () => {
  test('is checked before anything is stored, and opens in the builder as a draft', async () => {
    const api = apiOf(demo, adminOf(demo, 'Meridian Foods'));
    const { yaml } = await api.call('playbooks.export', { params: { tenant: person.tenant, id: playbookId } });
    const name = `Imported by ${person.email}`;
    await page.goto(`${demo.url}/playbooks`);
    await page.getByRole('button', { name: 'Import YAML' }).click();
    const text = drawer().getByRole('textbox', { name: 'YAML' });
    const check = () => drawer().getByRole('button', { name: 'Check' }).click();
    await text.fill('metadata: [');
    await check();
    await drawer().getByText('This is not a playbook yet.').waitFor();
    await text.fill(yaml.replace(PLAYBOOK, name).replace('fortigate.block_address', 'fortigate.no_such_action'));
    await check();
    await drawer()
      .getByText(/has to be mended before it can be published/)
      .waitFor();
    await look(page, 'import with a problem');
    await text.fill(yaml.replace(PLAYBOOK, name));
    await check();
    await drawer().getByText('Nothing is wrong with it.').waitFor();
    await drawer().getByRole('button', { name: 'Open in the builder' }).click();
    await page.waitForURL('**/edit');
    const id = new URL(page.url()).pathname.split('/')[2] ?? '';
    await api.call('playbooks.delete', { params: { tenant: person.tenant, id } });
  });
});

test('nothing went wrong on any of these screens', () => {
  expect(problems).toEqual([]);
});
