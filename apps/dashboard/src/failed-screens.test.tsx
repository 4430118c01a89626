/** What each screen shows of each answer that is none (attack case A-W7). */
import { ApiError } from '@airdeck/api-client/api-error';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connector, graylogDetail } from './features/integrations/integrations-fixture.ts';
import { presentError } from './lib/error-presentation.ts';
import { ownTenant, userWith } from './session/fixtures.ts';
import { failure, type Given, openApp, showApp } from './test-app.tsx';

// Screens are files of their own, and load with the first visit.
vi.setConfig({ testTimeout: 60_000 });
/** What React threw while it drew: the failure itself, which an error boundary takes, and nothing else. */
const thrown: unknown[] = [];
const noteThrown = ({ error }: ErrorEvent) => thrown.push(error instanceof Error ? (error.cause ?? error) : error);
beforeEach(() => {
  thrown.length = 0;
  window.addEventListener('error', noteThrown);
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});
afterEach(() => {
  window.removeEventListener('error', noteThrown);
  vi.restoreAllMocks();
  expect(thrown.filter((error) => !(error instanceof ApiError))).toEqual([]);
});

const tenant = `/api/tenants/${ownTenant}`;
const id = '01920000-0000-7000-8000-00000000030a';

/** A screen, the call without which it shows nothing, and its words of spec §8. */
type Row = readonly [route: string, address: string, call: string, words: string];

const refresh = 'Please refresh and try again.';
const caseDetails = `Unable to load case details. ${refresh}`;
const policyDetails = `Unable to load policy details. ${refresh}`;
const integrations = 'Failed to load integrations. Please check your connection and try again.';
const rule = `Unable to load Graylog automation settings details. ${refresh}`;
const setUps = `Unable to load wizard onboarding in progress. ${refresh}`;

const rows: readonly Row[] = [
  [
    '/activity/playbooks/$id',
    `/activity/playbooks/${id}`,
    `${tenant}/soar/playbook_activity/${id}`,
    `Unable to load Activity details. ${refresh}`,
  ],
  [
    '/air/automation-settings/$ruleId/$responseName',
    `/air/automation-settings/${id}/Block`,
    `${tenant}/soar/rule_responses`,
    `Unable to load automation details. ${refresh}`,
  ],
  ['/air/case-management/$id', `/air/case-management/${id}`, `${tenant}/case/${id}`, caseDetails],
  ['/air/case-management/', '/air/case-management', `${tenant}/case`, `Unable to load case list. ${refresh}`],
  ['/air/policy-management/$id/edit', `/air/policy-management/${id}/edit`, `${tenant}/soar/rules/${id}`, policyDetails],
  [
    '/air/policy-management/',
    '/air/policy-management',
    `${tenant}/soar/rules`,
    `Unable to load policy list. ${refresh}`,
  ],
  ['/air/policy-management/new', `/air/policy-management/new?copy=${id}`, `${tenant}/soar/rules/${id}`, policyDetails],
  [
    '/graylog/automation-settings/edit/$id/',
    `/graylog/automation-settings/edit/${id}`,
    `${tenant}/event/automation_rules/${id}`,
    rule,
  ],
  [
    '/graylog/automation-settings/edit/$id/$responseName',
    `/graylog/automation-settings/edit/${id}/Block`,
    `${tenant}/event/automation_rules/${id}`,
    rule,
  ],
  ['/graylog', '/graylog/alerts', `${tenant}/connectors`, integrations],
  ['/integrations/', '/integrations', `${tenant}/connectors`, integrations],
  [
    '/integrations/$id',
    `/integrations/${id}`,
    `${tenant}/connectors/${id}`,
    'Unable to load integration details. The integration may have been removed.',
  ],
  [
    '/integrations/new/',
    '/integrations/new',
    `${tenant}/available_integrations`,
    `Unable to load available integrations. ${refresh}`,
  ],
  [
    '/integrations/new/$id',
    '/integrations/new/graylog',
    `${tenant}/available_integrations/graylog`,
    'Failed to load integration configuration. Please try again later.',
  ],
  [
    '/integrations/new/import',
    '/integrations/new/import',
    `${tenant}/openapi/integrations`,
    `Unable to load imported integrations. ${refresh}`,
  ],
  [
    '/integrations/sources',
    '/integrations/sources',
    `/api/${ownTenant}/event/sources`,
    `Unable to load Graylog event sources. ${refresh}`,
  ],
  ['/overview', '/overview', '/api/overview', `Unable to load the overview of your tenants. ${refresh}`],
  ['/playbooks/$id/', `/playbooks/${id}`, `${tenant}/soar/playbooks/${id}`, `Unable to load playbook info. ${refresh}`],
  [
    '/playbooks/$id/edit',
    `/playbooks/${id}/edit`,
    `${tenant}/soar/playbooks/${id}`,
    `Unable to load the draft of this playbook. ${refresh}`,
  ],
  ['/set-up/', '/set-up', `${tenant}/onboarding/in_progress`, setUps],
  ['/set-up/$id', `/set-up/${id}`, `${tenant}/onboarding/in_progress`, setUps],
  [
    '/settings/tenant-settings/',
    '/settings/tenant-settings',
    `${tenant}/settings`,
    `Unable to load tenant settings. ${refresh}`,
  ],
];

/** Needs its list for a name only, and begins without it. */
const needNothing: readonly string[] = ['/playbooks/new'];

const html = { 'content-type': 'text/html' };
const json = { 'content-type': 'application/json' };

/** Answers that are none, and how often each is asked for: what may pass is tried three times more (spec §9). */
const answers: readonly (readonly [name: string, answer: () => Response | Promise<Response>, times: number])[] = [
  ['401', () => failure(401, 'TOKEN_INVALID'), 2],
  ['403', () => failure(403, 'ROLE_TOO_LOW'), 1],
  ['404', () => failure(404, 'NOT_FOUND'), 1],
  ['429', () => failure(429, 'RATE_LIMITED'), 4],
  ['449', () => failure(449, 'CONFIRMATION_REQUIRED'), 1],
  ['500', () => failure(500, 'INTERNAL'), 4],
  ['a page', () => new Response('<!doctype html><title>Proxy</title>', { headers: html }), 4],
  ['a page with 502', () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: html }), 4],
  ['an empty 200', () => new Response('', { headers: json }), 4],
  ['204', () => new Response(null, { status: 204 }), 4],
  ['half an answer', () => new Response('{"cases":[{"id":"0192', { headers: json }), 4],
  ['nothing', () => Promise.reject(new TypeError('Failed to fetch')), 4],
];

function given(call: string, answer: () => Response | Promise<Response>): Given {
  return {
    me: userWith({ own: 'Admin', other: 'Admin' }),
    retriesAtOnce: true,
    answers: {
      [`GET ${tenant}/connectors`]: () => Response.json([connector()]),
      [`GET ${tenant}/available_integrations/graylog`]: () => Response.json(graylogDetail),
      [`GET ${call}`]: answer,
    },
  };
}

test('every screen that loads something before it shows is tried', () => {
  const { router } = openApp('/');
  const loading = Object.values(router.routesById)
    .filter(({ options }) => 'loader' in options && options.loader !== undefined)
    .map((route) => String(route.id))
    .filter((route) => route.startsWith('/_dashboard/'))
    .map((route) => route.slice('/_dashboard'.length));
  expect([...rows.map(([route]) => route), ...needNothing].sort()).toEqual(loading.sort());
});

describe.each(rows)('%s', (_route, address, call, words) => {
  test('knows its words for every answer that is none, or says that the address leads nowhere, and does not storm', async () => {
    for (const [name, answer, times] of answers) {
      const { router, state } = openApp(address, given(call, answer));
      await router.load();
      const failed = router.state.matches.find(({ status }) => status !== 'success');
      const { title, text } = presentError(failed?.error);
      const isNowhere = name === '404' && failed?.status === 'notFound';
      if (!isNowhere) expect(`${title} ${text}`, name).toContain(words);
      expect(
        state.asked.filter((asked) => asked === `GET ${call}`),
        name,
      ).toHaveLength(times);
    }
  });

  test('says them where the answer is empty, and asks again when one tries again', async () => {
    let answer = () => new Response(null, { status: 204 });
    showApp(
      address,
      given(call, () => answer()),
    );
    expect(await screen.findByText((said) => said.startsWith(words))).toBeTruthy();
    answer = () => failure(403, 'ROLE_TOO_LOW', 'Another reason.');
    screen.getByRole('button', { name: 'Try Again' }).click();
    // Lists say it in their own place then.
    expect(await screen.findByText(/\(Another reason\.\)$/)).toBeTruthy();
  });
});

test.each(needNothing)('%s shows itself whatever the answer', async (address) => {
  showApp(
    address,
    given(`${tenant}/soar/playbooks`, () => new Response(null, { status: 204 })),
  );
  expect(await screen.findByRole('heading', { level: 1, name: 'New playbook' })).toBeTruthy();
});
