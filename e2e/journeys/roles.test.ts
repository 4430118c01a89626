import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { hasRole, type Role } from '@airdeck/contracts/access/roles';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { demoPlaybook, logRule, sandboxConnector } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { openGuessingCase } from '../src/guessing-case.ts';
import { createPerson, openAs } from '../src/people.ts';
import { untilHome } from '../src/sign-in-steps.ts';

type Screen = {
  /** As the route files spell it. */
  route: string;
  /** The lowest role that may enter (spec §6). */
  lowest: Role;
  /** Its heading of the first level; neighbours differ, so that one is not taken for the other. */
  heading: string | RegExp;
  /** Where the address leads, when elsewhere. */
  at?: string;
};

const HOME = 'Welcome to your AIR';
/** Comes with the demo. */
const GUESSING_PLAYBOOK = 'Block a guessing address';
const GUESSING_POLICY = /^SSH password guessing/;
/** Of log management, made for these tests. */
const RULE = 'Look up services';
const RESPONSE = 'Look up the address';

/** Every address of the dashboard and of its entrances, for somebody who is signed in. */
const screens: readonly Screen[] = [
  { route: '/settings/profile', lowest: 'ReadOnly', heading: 'Profile' },
  { route: '/', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/settings/notifications', lowest: 'ReadOnly', heading: 'Notifications' },
  { route: '/settings', lowest: 'ReadOnly', heading: 'Profile', at: '/settings/profile' },
  { route: '/home', lowest: 'ReadOnly', heading: HOME },
  { route: '/settings/term-dates', lowest: 'Admin', heading: 'Term dates' },
  { route: '/settings/tenant-settings', lowest: 'Admin', heading: 'Tenant settings' },
  { route: '/settings/contact-directory', lowest: 'Admin', heading: 'Contact directory' },
  { route: '/set-up', lowest: 'SystemManager', heading: 'Connect systems' },
  { route: '/overview', lowest: 'ReadOnly', heading: 'All tenants' },
  { route: '/set-up/$id', lowest: 'SystemManager', heading: 'Connect systems' },
  { route: '/air/case-management', lowest: 'ReadOnly', heading: 'Case management' },
  { route: '/air/case-management/$id', lowest: 'ReadOnly', heading: /^(?!Case management)./ },
  { route: '/air/policy-management', lowest: 'ReadOnly', heading: 'Policy management' },
  { route: '/air/policy-management/new', lowest: 'Analyst', heading: 'New policy' },
  { route: '/air/policy-management/$id/edit', lowest: 'Analyst', heading: GUESSING_POLICY },
  { route: '/air', lowest: 'ReadOnly', heading: 'Overview', at: '/air/overview' },
  { route: '/activity/actions', lowest: 'ReadOnly', heading: 'Action runs' },
  { route: '/air/overview', lowest: 'ReadOnly', heading: 'Overview' },
  { route: '/air/automation-settings', lowest: 'ReadOnly', heading: 'Automation settings' },
  { route: '/activity/playbooks', lowest: 'ReadOnly', heading: 'Playbook runs' },
  { route: '/air/automation-settings/new', lowest: 'Analyst', heading: 'New automation' },
  { route: '/graylog/triggered-alerts', lowest: 'ReadOnly', heading: 'Triggered alerts' },
  { route: '/graylog', lowest: 'ReadOnly', heading: 'Alerts', at: '/graylog/alerts' },
  { route: '/graylog/event-definitions', lowest: 'ReadOnly', heading: 'Event definitions' },
  { route: '/graylog/alerts', lowest: 'ReadOnly', heading: 'Alerts' },
  { route: '/graylog/automation-settings', lowest: 'Analyst', heading: 'Automation settings' },
  { route: '/graylog/automation-settings/new', lowest: 'Analyst', heading: 'New automation' },
  { route: '/graylog/automation-settings/edit/$id', lowest: 'Analyst', heading: RULE },
  { route: '/integrations', lowest: 'ReadOnly', heading: 'Integrations' },
  {
    route: '/graylog/automation-settings/edit',
    lowest: 'Analyst',
    heading: 'Automation settings',
    at: '/graylog/automation-settings',
  },
  { route: '/graylog/automation-settings/edit/$id/$responseName', lowest: 'Analyst', heading: RESPONSE },
  { route: '/integrations/$id', lowest: 'SystemManager', heading: /\(sandbox\)$/ },
  { route: '/integrations/sources', lowest: 'SystemManager', heading: 'Event sources' },
  { route: '/integrations/new', lowest: 'SystemManager', heading: 'Add an integration' },
  { route: '/integrations/new/import', lowest: 'SystemManager', heading: 'Import an API' },
  { route: '/integrations/new/$id', lowest: 'SystemManager', heading: 'Connect Graylog' },
  { route: '/actions', lowest: 'Analyst', heading: 'Action catalog' },
  { route: '/air/automation-settings/$ruleId/$responseName', lowest: 'Analyst', heading: GUESSING_PLAYBOOK },
  { route: '/search', lowest: 'Analyst', heading: 'Search' },
  { route: '/report', lowest: 'ReadOnly', heading: 'Search reports', at: '/report/air' },
  { route: '/report/air', lowest: 'ReadOnly', heading: 'Search reports' },
  { route: '/report/graylog', lowest: 'ReadOnly', heading: 'Log collection' },
  { route: '/mdr/executive-reports', lowest: 'ReadOnly', heading: 'Executive reports' },
  { route: '/report/soar', lowest: 'ReadOnly', heading: 'Automation' },
  { route: '/playbooks', lowest: 'Analyst', heading: 'Playbooks' },
  { route: '/mdr', lowest: 'ReadOnly', heading: 'Executive reports', at: '/mdr/executive-reports' },
  { route: '/playbooks/new', lowest: 'Analyst', heading: 'New playbook' },
  {
    route: '/report/executive-reports',
    lowest: 'ReadOnly',
    heading: 'Executive reports',
    at: '/mdr/executive-reports',
  },
  { route: '/playbooks/$id', lowest: 'Analyst', heading: GUESSING_PLAYBOOK },
  { route: '/activity', lowest: 'ReadOnly', heading: 'Action runs', at: '/activity/actions' },
  { route: '/activity/playbooks/$id', lowest: 'ReadOnly', heading: /^(?!Action runs)./ },
  { route: '/not-enabled', lowest: 'ReadOnly', heading: 'Not part of your plan' },
  { route: '/playbooks/$id/edit', lowest: 'Analyst', heading: GUESSING_PLAYBOOK },
  { route: '/unauthorized', lowest: 'ReadOnly', heading: 'You are not allowed to see this' },
  { route: '/login', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/forgot-password', lowest: 'ReadOnly', heading: 'Forgot your password?' },
  { route: '/validate', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/reset-password', lowest: 'ReadOnly', heading: 'This link is not complete' },
  { route: '/setup-totp', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/new-password-required', lowest: 'ReadOnly', heading: 'A new password is required' },
  { route: '/onboarding', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/confirm-code', lowest: 'ReadOnly', heading: 'Whose code is it?' },
  { route: '/onboarding/setup-totp', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/outbox', lowest: 'ReadOnly', heading: 'Outbox' },
  { route: '/onboarding/confirm-totp', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/signup/invite', lowest: 'ReadOnly', heading: 'You are signed in already', at: '/signup/switch-accounts' },
  { route: '/onboarding/setting-up', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/signup/azure', lowest: 'ReadOnly', heading: 'You are signed in already', at: '/signup/switch-accounts' },
  { route: '/account-not-found', lowest: 'ReadOnly', heading: HOME, at: '/home' },
  { route: '/signup/switch-accounts', lowest: 'ReadOnly', heading: HOME, at: '/home' },
];

/** Entrances that only mean something with what a mail or another provider brought: their own journeys open them. */
const openedElsewhere = ['/logout', '/signup/azure/confirm', '/signup/azure/callback', '/signup/azure/callback/$step'];

const demo = inject('demo');
let browser: Browser;
/** What the addresses of single things are opened with; nothing has the one of the set-up, which has words for that. */
const ids: Record<string, string | undefined> = {
  '/set-up/$id': '01920000-0000-7000-8000-000000000301',
  '/integrations/new/$id': 'graylog',
};

beforeAll(async () => {
  browser = await launchBrowser();
  const opened = await openGuessingCase(demo, '192.0.2.62');
  ids['/air/case-management/$id'] = opened.id;
  ids['/air/policy-management/$id/edit'] = opened.policy_id ?? undefined;
  ids['/activity/playbooks/$id'] = opened.alert_responses[0]?.workflow_instance_id;
  ids['/integrations/$id'] = (await sandboxConnector(demo)).id;
  ids['/playbooks/$id'] = (await demoPlaybook(demo, GUESSING_PLAYBOOK)).id;
  ids['/playbooks/$id/edit'] = ids['/playbooks/$id'];
  const ruleId = (await logRule(demo, { name: RULE, response: RESPONSE })).id;
  ids['/graylog/automation-settings/edit/$id'] = ruleId;
  ids['/graylog/automation-settings/edit/$id/$responseName'] = `${ruleId}/${encodeURIComponent(RESPONSE)}`;
  ids['/air/automation-settings/$ruleId/$responseName'] =
    `${opened.policy_id}/${encodeURIComponent(GUESSING_PLAYBOOK)}`;
});
afterAll(async () => {
  await browser?.close();
});

test('no route is left out', async () => {
  const folder = fileURLToPath(new URL('../../apps/dashboard/src/routes/', import.meta.url));
  const files = await readdir(folder, { recursive: true });
  const routes = files
    .filter((file) => file.endsWith('.tsx') && !/(^|\/)(__root|_dashboard|route)\.tsx$/.test(file))
    .map((file) =>
      `/${file.replace(/^_dashboard\//, '').replace(/\.tsx$/, '')}`.replace(/(?<=.)\/index$|(?<=^\/)index$/, ''),
    );
  expect(routes.toSorted()).toEqual([...screens.map(({ route }) => route), ...openedElsewhere].toSorted());
});

test.each(['ReadOnly', 'Analyst', 'SystemManager', 'Admin'] as const)(
  'a %s enters what the role allows and is told where it does not',
  // Some open each screen there is.
  { timeout: 600_000 },
  async (role) => {
    const person = await createPerson(demo, role);
    const { page, context, problems } = await openAs(browser, demo, person.visitor);
    // One address as it would be typed; the others as links inside, which only saves loading everything again.
    const [typed] = screens.filter(({ lowest }) => lowest === 'Admin');
    if (typed !== undefined) {
      await page.goto(`${demo.url}${typed.route}`);
      await expectOutcome(page, typed, role);
    }
    await page.goto(`${demo.url}/home`);
    await untilHome(page);
    for (const screen of screensOf(role)) {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(addressOf(screen))})`);
      await expectOutcome(page, screen, role);
    }
    expect(problems).toEqual([]);
    await context.close();
  },
);

/** All for the lowest and the highest role. Of those between, what they are the first to enter, and what the next one is. */
function screensOf(role: Role): readonly Screen[] {
  if (process.env.AIRDECK_FULL !== undefined || role === 'ReadOnly' || role === 'Admin') return screens;
  const next = role === 'Analyst' ? 'SystemManager' : 'Admin';
  return screens.filter(({ lowest }) => lowest === role || lowest === next);
}

function addressOf({ route }: Screen): string {
  if (!route.includes('$')) return route;
  const id = ids[route];
  if (id === undefined) throw new Error(`Nothing is there to open ${route} with.`);
  return route.replace(/\$\w*[iI]d(?:\/\$\w+)?/, id);
}

async function expectOutcome(page: Page, screen: Screen, role: Role): Promise<void> {
  const allowed = hasRole(role, screen.lowest);
  const pathname = allowed ? (screen.at ?? addressOf(screen)) : '/unauthorized';
  const heading = allowed ? screen.heading : 'You are not allowed to see this';
  const isThere = () => new URL(page.url()).pathname === pathname;
  await page.waitForURL(isThere).catch(() => undefined);
  expect(new URL(page.url()).pathname, `${screen.route} as ${role}`).toBe(pathname);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  // The heading came after the guards: whoever was let in is still there.
  expect(isThere(), `${screen.route} as ${role}`).toBe(true);
  if (!allowed) await page.getByText('which does not include this screen').waitFor();
}
