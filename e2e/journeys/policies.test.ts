import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { adminOf, apiOf, apiOfBrowser } from '../src/api.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { createPerson, openAs, type Person } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { untilHome } from '../src/sign-in-steps.ts';
import { sendSyslog } from '../src/syslog-sender.ts';
import { newAddress } from '../src/visitor.ts';

const demo = inject('demo');
/** In no event of anybody else: nothing of this journey may match elsewhere. */
const MARK = `qx${randomBytes(5).toString('hex')}`;
const TITLE = `Shell started by ${MARK}`;
const SIGMA = `title: ${TITLE}
id: 6f1a3c52-5f0e-4c5a-9d1e-${randomBytes(6).toString('hex')}
status: stable
description: Somebody used an account that nobody should use.
author: Kai Example
license: CC0-1.0
logsource:
  product: linux
  service: sshd
detection:
  selection:
    message|contains: 'Accepted password for ${MARK}'
  condition: selection
level: high
tags:
  - attack.t1078
`;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function sshdLine(user: string, port: number): string {
  const now = new Date();
  const day = String(now.getUTCDate()).padStart(2, ' ');
  const time = now.toISOString().slice(11, 19);
  return `${months[now.getUTCMonth()]} ${day} ${time} bastion sshd[991]: Accepted password for ${user} from 203.0.113.91 port ${port} ssh2`;
}

let browser: Browser;
let person: Person;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  person = await createPerson(demo, 'Analyst', { fullname: 'Rita Rules' });
  ({ page, problems } = await openAs(browser, demo, person.visitor));
});
afterAll(async () => {
  await browser?.close();
});

const dialog = () => page.getByRole('dialog');
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const form = () => page.getByRole('main');

/** Each step needs the one before. */
describe('a policy', () => {
  test('is imported from a Sigma rule, after it was said what would become of it', async () => {
    await page.goto(`${demo.url}/home`);
    await untilHome(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Cases', exact: true }).click();
    await page.getByRole('link', { name: 'Policy management' }).click();
    await heading('Policy management').waitFor();
    await page.getByRole('button', { name: 'Import Sigma' }).click();
    await dialog().getByLabel('Or paste rules').fill(`${SIGMA}---\ntitle: no rule\n`);
    await dialog().getByRole('button', { name: 'Check' }).click();
    await dialog().getByText('1 will be imported, 1 not readable').waitFor();
    await look(page, 'import of rules');
    await dialog().getByRole('button', { name: 'Import 1 rule' }).click();
    await dialog().getByRole('link', { name: TITLE }).click();
    await dialog().getByText('In events of sshd').waitFor();
    await dialog().getByText('CC0-1.0').waitFor();
    await look(page, 'policy beside the list');
    await dialog().getByRole('link', { name: 'Edit' }).click();
    await heading(TITLE).waitFor();
  });

  test('is tried on pasted events, line by line', async () => {
    const lines = [sshdLine(MARK, 40_001), sshdLine('deploy', 40_002)];
    await page.getByLabel('Events, one per line').fill(lines.join('\n'));
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText('1 of 2 events match').waitFor();
    await page.getByText('1 case would open').waitFor();
  });

  test('is changed by keyboard, kept as a version, and compared with the one before', async () => {
    await form().getByRole('button', { name: 'Add a condition to the conditions' }).press('Enter');
    await page.keyboard.type('host');
    await page.keyboard.press('Escape');
    await form().getByRole('combobox', { name: 'Values of condition 2' }).fill('bastion');
    await page.keyboard.press('Enter');
    await form().getByRole('combobox', { name: 'One case per' }).fill('src_ip');
    await page.keyboard.press('Enter');
    await form().getByText('An event that fits opens a case for its src_ip.').waitFor();
    // The list of names would lie over the rest.
    await page.keyboard.press('Escape');
    await look(page, 'editor of a policy');
    await page.getByLabel('What changed').fill('Only our bastion');
    await page.keyboard.press('Enter');
    await page.getByText('Saved as version 2').waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('Only our bastion').waitFor();
    await page.getByRole('button', { name: 'What changed in version 2' }).click();
    await page.getByRole('region', { name: 'Changes of version 2' }).getByText('"bastion"').waitFor();
  });

  test('is held against past events before it is on', async () => {
    await sendSyslog(demo.ports.syslog_tcp, [sshdLine(MARK, 40_003)]);
    await page.getByRole('tab', { name: 'Backtest' }).click();
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Backtest', exact: true }).click();
          const figures = page.getByLabel('Outcome of the backtest');
          await figures.waitFor();
          return await figures.getByRole('definition').first().textContent();
        },
        { timeout: 60_000, interval: 1_000 },
      )
      .toBe('1');
    await look(page, 'backtest');
  });

  test('opens a case for events that arrive once it is on', async () => {
    await page.getByRole('switch', { name: `${TITLE} is on` }).press('Space');
    await page.getByText('On', { exact: true }).first().waitFor();
    const admin = adminOf(demo, 'Meridian Foods');
    const cases = async () =>
      (await apiOf(demo, admin).call('cases.list', { params: { tenant: admin.tenant }, query: { q: TITLE } })).total;
    expect(await cases()).toBe(0);
    await expect
      .poll(
        async () => {
          await sendSyslog(demo.ports.syslog_tcp, [sshdLine(MARK, 40_004)]);
          return await cases();
        },
        { timeout: 60_000, interval: 1_000 },
      )
      .toBe(1);
    await page.goto(`${demo.url}/air/policy-management?q=${MARK}`);
    await page
      .getByRole('row', { name: TITLE })
      .getByRole('link', { name: /^CASE-/ })
      .click();
    await heading(TITLE).waitFor();
  });

  test('takes a value from the search into its form, and is saved only there', async () => {
    await page.goto(`${demo.url}/search?query=${MARK}`);
    await page
      .getByRole('row', { name: /Accepted password/ })
      .first()
      .click();
    await dialog().getByRole('button', { name: 'What to do with src_ip 203.0.113.91' }).first().click();
    await page.getByRole('menuitem', { name: 'Add to a policy…' }).click();
    const choice = page.getByRole('dialog', { name: 'Add src_ip is 203.0.113.91 to a policy' });
    await choice.getByRole('textbox', { name: 'Search policies' }).fill(TITLE);
    await expect.poll(() => choice.getByRole('link').count()).toBe(1);
    await look(page, 'policies a value can be added to');
    await choice.getByRole('link', { name: TITLE }).click();
    await heading(TITLE).waitFor();
    await page.getByText('Added from the search: src_ip is 203.0.113.91').waitFor();
    expect(await form().getByLabel('Field of condition 3').first().inputValue()).toBe('src_ip');
    await look(page, 'policy with a condition from the search');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    await page.waitForURL((url) => url.pathname.endsWith('/edit') && !url.searchParams.has('criterion'));
  });

  test('is known again in a folder of hundreds, of each of which it is said what would become of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    mkdirSync(join(folder, 'linux'));
    const others = Array.from({ length: 700 }, (_, at) =>
      at === 299
        ? 'title: no rule\n'
        : SIGMA.replace(TITLE, `Rule ${at + 1} of ${MARK}`).replace(/^id: .*$/m, `id: ${randomUUID()}`),
    );
    writeFileSync(join(folder, 'LICENSE'), 'no rule');
    writeFileSync(join(folder, 'empty.yml'), '');
    writeFileSync(join(folder, 'linux', 'known.yml'), SIGMA);
    // Longer than one call takes.
    writeFileSync(join(folder, 'linux', 'many.yml'), others.join('---\n'));
    try {
      await page.goto(`${demo.url}/air/policy-management`);
      await page.getByRole('button', { name: 'Import Sigma' }).click();
      await dialog().getByLabel('Sigma rules as a folder').setInputFiles(folder);
      await dialog().getByText('1 other in the folder is no rule').waitFor();
      await dialog().getByRole('button', { name: 'Check' }).click();
      await dialog().getByText('699 will be imported, 1 already there, 2 not readable').waitFor({ timeout: 60_000 });
      await dialog().getByText('Not readable 2').click();
      await dialog().getByText('linux/many.yml, rule 300').waitFor();
      await look(page, 'import of a folder');
      const saving = page.waitForEvent('download');
      await dialog().getByRole('button', { name: 'Save this list as CSV' }).click();
      expect((await saving).suggestedFilename()).toBe('sigma-check.csv');
      await dialog().getByRole('button', { name: 'Cancel' }).click();
      await dialog().waitFor({ state: 'detached' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is deleted, and its case stays', async () => {
    await page.goto(`${demo.url}/air/policy-management?q=${MARK}`);
    await page.getByRole('row', { name: TITLE }).getByText(TITLE).first().click();
    await dialog().getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: `More for ${TITLE}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog().getByText('Its open case stays').waitFor();
    await dialog().getByRole('button', { name: 'Delete policy' }).click();
    await heading('Policy management').waitFor();
    await page.goto(`${demo.url}/air/case-management?q=${MARK}`);
    await page.getByRole('row', { name: TITLE }).waitFor();
  });

  test('the browser had nothing to complain about', () => {
    expect(problems).toEqual([]);
  });
});

test('a provider publishes a policy, its customer changes the copy, and the provider sees both', async () => {
  const [provider, foods] = demo.tenants;
  if (provider === undefined || foods === undefined) throw new Error('A tenant is missing.');
  const opened = await openPage(browser, { address: newAddress() });
  const on = opened.page;
  await on.goto(demo.url);
  await on.getByRole('button', { name: /Elena Fischer/ }).click();
  await untilHome(on);
  const api = apiOfBrowser(demo, opened.context);
  const name = `For customers ${MARK}`;
  const rule = {
    name,
    description: 'Nobody should use it.',
    type: 'custom' as const,
    severity: 'high' as const,
    logic: {
      rule_type: 'filter_and_group' as const,
      filter_criteria: [{ field: 'user', operator: 'equals' as const, value: `${MARK}-breakglass` }],
      group_by: ['host'],
      source: { source_type: 'log' as const, connector_definition_id: 'sshd', event_type: '' },
    },
  };
  const { id } = await api.call('policies.create', { params: { tenant: provider.id }, body: { rule } });
  const drawer = on.getByRole('dialog', { name });
  const publishing = on.getByRole('dialog', { name: `Publish ${name}` });
  const customer = publishing.getByRole('checkbox', { name: 'Meridian Foods' });

  await on.goto(`${demo.url}/air/policy-management?policy=${id}`);
  await drawer.getByText('2 not published').waitFor();
  await drawer.getByRole('button', { name: 'Publish…' }).click();
  await customer.check();
  // Read Only there.
  expect(await publishing.getByRole('checkbox', { name: 'Harbor Clinics' }).isDisabled()).toBe(true);
  await look(on, 'publishing a policy');
  await publishing.getByRole('button', { name: 'Publish to 1 customer' }).click();
  await publishing.getByText('1 published').waitFor();
  await publishing.getByRole('button', { name: 'Done' }).click();
  await drawer.getByText('1 up to date, 1 not published').waitFor();

  const where = { params: { tenant: provider.id, id } };
  const copyOf = async () =>
    (await api.call('policies.publications', where)).tenants.find(({ tenant }) => tenant === foods.id)?.copy;
  const copy = await copyOf();
  await on.goto(`${demo.url}/air/policy-management/${copy?.policy_id}/edit?tenant=${foods.id}`);
  await on.getByText('From your provider', { exact: true }).waitFor();
  await on.getByRole('radio', { name: 'High' }).press('ArrowLeft');
  await on.getByRole('button', { name: 'Save changes' }).click();
  await on.getByText('From your provider, changed here').waitFor();
  expect(await copyOf()).toMatchObject({ overridden: true, is_current: false, published_version: 1 });

  await on.goto(`${demo.url}/air/policy-management/${id}/edit?tenant=${provider.id}`);
  await on.getByRole('button', { name: `More for ${name}` }).click();
  await on.getByRole('menuitem', { name: 'Publish to customers…' }).click();
  await publishing.getByText('Changed there').waitFor();
  expect(await customer.isDisabled()).toBe(true);
  expect(opened.problems).toEqual([]);
  await opened.context.close();
});
