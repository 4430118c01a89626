import type { Step } from '@airdeck/engine/interfaces';
import { expect, test } from 'vitest';
import type { RunTrigger } from './run-trigger.ts';
import { actionActivity } from './run-view.ts';

const caseId = '01920000-0000-7000-8000-000000000901';
const at = new Date('2026-11-20T10:00:00.000Z');

const step: Step = {
  id: '01920000-0000-7000-8000-000000000701',
  runId: '01920000-0000-7000-8000-000000000702',
  tenantId: '01920000-0000-7000-8000-000000000001',
  actionId: 'block',
  iteration: 0,
  items: null,
  childRunId: null,
  reused: false,
  kind: 'action',
  name: 'fortigate.block_address',
  status: 'success',
  skipReason: null,
  attempt: 1,
  input: {},
  output: null,
  error: null,
  effect: 'changes',
  callStartedAt: at,
  createdAt: at,
  startedAt: at,
  finishedAt: at,
  availableAt: null,
};

const trigger: RunTrigger = {
  trigger_type: 'event',
  username: 'Automation',
  user_tenant_id: null,
  user_tenant_name: null,
  case_id: caseId,
  acts_as: null,
  response_name: 'Block it',
  connector_id: null,
};

test('an action says which case it answers, by itself and in a playbook, so that one finds the way back', () => {
  for (const kind of ['adhoc', 'playbook'] as const) {
    expect(actionActivity(step, { kind, trigger, dryRun: false }, true).details.context.case_id).toBe(caseId);
  }
  const byHand = { ...trigger, trigger_type: 'manual', case_id: null };
  const alone = { kind: 'adhoc', trigger: byHand, dryRun: false };
  expect(actionActivity(step, alone, true).details.context.case_id).toBeNull();
});
