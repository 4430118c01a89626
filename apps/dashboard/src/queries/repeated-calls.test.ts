import type { ApiClient } from '@airdeck/api-client/client';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { automationRuleCalls } from './automation-rules.ts';
import { customerMutations } from './customers.ts';
import { playbookMutations } from './playbooks.ts';
import { policyCalls } from './policies.ts';
import { searchReportMutations } from './search-reports.ts';
import { userMutations } from './users.ts';

type Asked = { idempotencyKey?: string };

const asked: (string | undefined)[] = [];
const api = {
  call: (_route: string, { idempotencyKey }: Asked) => {
    asked.push(idempotencyKey);
    return Promise.resolve({});
  },
} as unknown as ApiClient;
const tenantApi = { api, tenantId: 'tenant' };
const queryClient = new QueryClient();
const intent = { once: <T>(_meant: unknown, call: (key: string) => Promise<T>) => call('the press of a button') };
/** What a call that may have to be confirmed comes with. */
const controls = { idempotencyKey: 'of this call only' };

type Making = { mutationFn?: unknown };
const made = ({ mutationFn }: Making) => (mutationFn as (variables: unknown) => Promise<unknown>)({});

// A body no server sees.
const anything = {} as never;

test.each([
  ['a search report', () => made(searchReportMutations.export(tenantApi, queryClient, intent))],
  ['a search report once more', () => made(searchReportMutations.runAgain(tenantApi, queryClient, intent))],
  ['a schedule', () => made(searchReportMutations.createSchedule(tenantApi, queryClient, intent))],
  ['a playbook from YAML', () => made(playbookMutations.create(tenantApi, queryClient, intent))],
  ['a copy of a playbook', () => made(playbookMutations.duplicate(tenantApi, queryClient, { id: 'one', intent }))],
  ['a customer', () => made(customerMutations.create(tenantApi, queryClient, intent))],
  ['an invitation', () => made(userMutations.invite(tenantApi, queryClient, intent))],
  ['a policy', () => policyCalls(tenantApi).create(anything, { ...controls, intent })],
  ['an automation of alerts', () => automationRuleCalls.create(tenantApi, anything, { ...controls, intent })],
])('%s is asked for under the key of what was meant, so that a second press makes no second one', async (_, make) => {
  asked.length = 0;
  await make();
  expect(asked).toEqual(['the press of a button']);
});
