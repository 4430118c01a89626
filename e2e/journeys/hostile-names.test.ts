import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AirdeckProcess, startAirdeck } from '../src/airdeck-process.ts';
import { adminOf, apiOf, apiOfBrowser } from '../src/api.ts';
import { desktop, launchBrowser, phone } from '../src/browser.ts';
import { acceptInvitation, newEmail, openAs } from '../src/people.ts';
import { behindProxy } from '../src/visitor.ts';

/**
 * Case A-W1 of the attack cases, and the long and reversed names of A-W9: everything a person can name is named to become an
 * element, a script or an address of one, and every screen that shows it shows a text.
 */

/** Each kind, and without a place to break the line; as long as the field takes. */
function hostile(max: number): string {
  const start = '"><img src=x onerror=alert(1)><svg/onload=alert(1)>\u202etxt.exe';
  return `${start}${'W'.repeat(Math.max(0, max - start.length))}`.slice(0, max);
}
/** One that can be searched for. */
const words = '"<img src=x onerror=alert(1)><svg/onload=alert(1)>"';
const link = 'javascript:alert(document.domain)//';
const longText = `${link}\n${hostile(500)}\n${'<script>alert(1)</script>'.repeat(10)}`;

/** Made by a name that was taken for markup; nothing of ours looks like it. */
const INJECTED = `document.querySelectorAll(
  'img[src="x"], [onerror], [onload], [href^="javascript:" i], [src^="javascript:" i], [action^="javascript:" i]'
).length`;
/** Only outside of places that scroll by themselves. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** A product of its own: a customer that is created shows in lists of everybody else. */
let airdeck: AirdeckProcess;
let browser: Browser;
let page: Page;
let problems: string[];
const dialogs: string[] = [];
const ids = { case: '', policy: '', playbook: '', connector: '' };

beforeAll(async () => {
  [airdeck, browser] = await Promise.all([startAirdeck(behindProxy), launchBrowser()]);
  const { demo } = airdeck;
  const provider = adminOf(demo, 'Lumen Ridge Security');
  const [email, fullname] = [newEmail(), hostile(200)];
  const { id: tenant } = await apiOf(demo, provider).call('customers.create', {
    params: { tenant: provider.tenant },
    body: {
      name: hostile(200),
      sku_info: {
        ...{ sku_name: hostile(100), is_mdr_enabled: true, is_search_enabled: true },
        ...{ retention_length_days: 30, search_length_days: 30 },
      },
      admin: { email, fullname },
    },
  });
  const admin = await acceptInvitation(demo, { email, fullname, tenant });
  const opened = await openAs(browser, demo, admin.visitor);
  ({ page, problems } = opened);
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const { call } = apiOfBrowser(demo, opened.context);
  const params = { tenant };
  const delay = { id: 'wait', kind: 'delay', seconds: 1 };
  const metadata = { name: hostile(200), description: longText, author: '', updated_by: '' };
  const [aCase, policy, playbook, connector] = await Promise.all([
    call('cases.create', {
      params,
      body: {
        ...{ alert_name: hostile(200), alert_description: longText, tags: [hostile(50)] },
        meta_data_fields: { host: hostile(500), url: link },
      },
    }),
    call('policies.create', {
      params,
      body: {
        rule: {
          ...{ name: hostile(200), description: longText, type: 'custom', severity: 'high' },
          logic: {
            rule_type: 'filter_and_group',
            filter_criteria: [{ field: 'outcome', operator: 'equals', value: hostile(300) }],
            group_by: ['src_ip'],
            threshold: { count: 5, within_s: 300 },
            source: { source_type: 'log', connector_definition_id: 'sshd', event_type: 'authentication' },
          },
        },
      },
    }),
    call('playbooks.create', {
      params,
      body: { definition: { metadata, actions: [delay] } },
    }),
    call('connectors.put', {
      params,
      body: { definition_id: 'http_request', name: hostile(100), config: { base_url: 'https://service.example' } },
    }),
    call('contacts.create', {
      params,
      body: { name: hostile(200), email: newEmail(), kind: 'technical', notes: longText },
    }),
    call('sources.create', { params, body: { name: hostile(100), kind: 'ndjson' } }),
    call('search.saved-create', {
      params,
      body: { name: hostile(120), shared: true, criteria: { query: words }, time_range: { preset: 'last_7d' } },
    }),
    call('users.invite', { params, body: { email: newEmail(), fullname: hostile(200), role: 'Analyst' } }),
  ]);
  Object.assign(ids, { case: aCase.id, policy: policy.id, playbook: playbook.playbook_id, connector: connector.id });
});
afterAll(async () => {
  await browser?.close();
  await airdeck?.close();
});

test.each([
  ['home', () => '/home'],
  ['search', () => `/search?query=${encodeURIComponent(words)}`],
  ['cases', () => '/air/case-management'],
  ['case board', () => '/air/case-management?view=board'],
  ['case', () => `/air/case-management/${ids.case}`],
  ['overview of incident response', () => '/air/overview'],
  ['policies', () => '/air/policy-management'],
  ['policy', () => `/air/policy-management?policy=${ids.policy}`],
  ['editor of a policy', () => `/air/policy-management/${ids.policy}/edit`],
  ['automation settings', () => '/air/automation-settings'],
  ['playbooks', () => '/playbooks'],
  ['playbook', () => `/playbooks/${ids.playbook}`],
  ['builder of a playbook', () => `/playbooks/${ids.playbook}/edit`],
  ['actions', () => '/actions?action=http_request.get'],
  ['playbook runs', () => '/activity/playbooks'],
  ['action runs', () => '/activity/actions'],
  ['integrations', () => '/integrations'],
  ['connector', () => `/integrations/${ids.connector}`],
  ['sources', () => '/integrations/sources'],
  ['contacts', () => '/settings/contact-directory'],
  ['term dates', () => '/settings/term-dates'],
  ['users', () => '/settings/tenant-settings?panel=users'],
  ['details', () => '/settings/tenant-settings?panel=details'],
  ['audit log', () => '/settings/tenant-settings?panel=audit'],
  ['event sources', () => '/settings/tenant-settings?panel=sources'],
  ['profile', () => '/settings/profile'],
  ['overview', () => '/overview'],
])('%s shows hostile names as texts, within the page', async (name, path) => {
  await page.setViewportSize(desktop);
  await page.goto(`${airdeck.demo.url}${path()}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const placeholders = page.locator('.mantine-Skeleton-root').filter({ visible: true });
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport);
    await expect.poll(() => placeholders.count(), { timeout: 30_000 }).toBe(0);
    expect(await page.evaluate(INJECTED), name).toBe(0);
    const tooWide = () => page.evaluate<number>(OVERFLOW);
    await expect.poll(tooWide, { timeout: 5_000, message: `${name}, ${viewport.width} px` }).toBeLessThanOrEqual(0);
  }
  expect(dialogs.splice(0)).toEqual([]);
  // A new tenant has no contract, which is told as what is not found.
  expect(problems.splice(0).filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
});

test('the names were there to be seen', async () => {
  await page.setViewportSize(desktop);
  for (const path of ['/air/case-management', '/playbooks', '/settings/contact-directory', '/integrations']) {
    await page.goto(`${airdeck.demo.url}${path}`);
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  }
});
