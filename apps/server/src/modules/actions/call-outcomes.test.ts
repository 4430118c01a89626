import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import type { EgressResponse } from '@airdeck/connector-kit/egress';
import { EgressError, egressErrorCodes } from '@airdeck/connector-kit/egress-error';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { VendorError, vendorErrorCodes } from '@airdeck/connector-kit/vendor-error';
import { compileDefinition } from '@airdeck/engine/definition';
import { executeAttempt } from '@airdeck/engine/execute-step';
import type { Effect } from '@airdeck/engine/interfaces';
import type { RunRow, StepRow } from '@airdeck/engine/rows';
import { createRunModel, type MachineDeps } from '@airdeck/engine/run-model';
import { finishAttempt } from '@airdeck/engine/run-signals';
import { describe, expect, test } from 'vitest';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createActionRunner } from './action-runner.ts';
import { createCircuitBreakers } from './circuit-breaker.ts';

const tenant = '00000000-0000-4000-8000-000000000001';
const now = new Date('2026-01-01T00:00:00Z');

/** `again`: a step with attempts left is repeated. `ends`: with the failure's own code. */
type Fate = 'again' | 'ends' | 'unknown';

type Failing = {
  readonly what: string;
  readonly result: Error | Pick<EgressResponse, 'status'> | { readonly status: number; readonly retryAfterS: number };
  /** Of a call that changes something, is not idempotent, and was made. */
  readonly made: Fate;
  /** Of every other: it reads, is idempotent, or failed before the call that changes. */
  readonly other: 'again' | 'ends';
};

const vendorFails = (code: keyof typeof vendorErrorCodes, made: Fate, other: Failing['other']): Failing => ({
  what: code,
  result: new VendorError(code, 'why'),
  made,
  other,
});
const egressFails = (code: keyof typeof egressErrorCodes, made: Fate, other: Failing['other']): Failing => ({
  what: code,
  result: new EgressError(code, 'why'),
  made,
  other,
});
const answers = (status: number, made: Fate, other: Failing['other']): Failing => ({
  what: `HTTP ${status}`,
  result: { status },
  made,
  other,
});

const failing: readonly Failing[] = [
  vendorFails('VENDOR_CREDENTIALS_REFUSED', 'ends', 'ends'),
  vendorFails('VENDOR_PERMISSION_MISSING', 'ends', 'ends'),
  vendorFails('VENDOR_NOT_FOUND', 'ends', 'ends'),
  vendorFails('VENDOR_CONFLICT', 'ends', 'ends'),
  vendorFails('VENDOR_REJECTED', 'ends', 'ends'),
  vendorFails('VENDOR_RATE_LIMITED', 'again', 'again'),
  vendorFails('VENDOR_UNAVAILABLE', 'unknown', 'again'),
  vendorFails('VENDOR_ANSWER_UNREADABLE', 'unknown', 'ends'),
  vendorFails('CONNECTOR_CONFIG_INVALID', 'ends', 'ends'),
  egressFails('EGRESS_DENIED', 'ends', 'ends'),
  egressFails('DNS_FAILED', 'again', 'again'),
  egressFails('CONNECT_FAILED', 'unknown', 'again'),
  egressFails('TLS_FAILED', 'ends', 'ends'),
  egressFails('TIMEOUT', 'unknown', 'again'),
  egressFails('BODY_TOO_LARGE', 'unknown', 'ends'),
  egressFails('BODY_UNREADABLE', 'unknown', 'ends'),
  egressFails('REDIRECT_REFUSED', 'ends', 'ends'),
  egressFails('ABORTED', 'unknown', 'ends'),
  { what: 'CONNECTOR_FAILED', result: new TypeError('x is not a function'), made: 'unknown', other: 'ends' },
  answers(401, 'ends', 'ends'),
  answers(403, 'ends', 'ends'),
  answers(404, 'ends', 'ends'),
  answers(409, 'ends', 'ends'),
  answers(422, 'ends', 'ends'),
  answers(429, 'again', 'again'),
  answers(500, 'unknown', 'again'),
  answers(502, 'unknown', 'again'),
  answers(503, 'unknown', 'again'),
  { what: 'HTTP 503 with Retry-After', result: { status: 503, retryAfterS: 5 }, made: 'again', other: 'again' },
  answers(504, 'unknown', 'again'),
  { what: 'HTTP 504 with Retry-After', result: { status: 504, retryAfterS: 5 }, made: 'unknown', other: 'again' },
];

const steps: readonly { effect: Effect; idempotent: boolean; method: 'GET' | 'POST'; isMade: boolean }[] = [
  { effect: 'reads', idempotent: true, method: 'GET', isMade: false },
  { effect: 'reads', idempotent: false, method: 'GET', isMade: false },
  { effect: 'changes', idempotent: true, method: 'POST', isMade: false },
  { effect: 'destroys', idempotent: true, method: 'POST', isMade: false },
  // What it reads before it changes anything.
  { effect: 'changes', idempotent: false, method: 'GET', isMade: false },
  { effect: 'destroys', idempotent: false, method: 'GET', isMade: false },
  { effect: 'changes', idempotent: false, method: 'POST', isMade: true },
  { effect: 'destroys', idempotent: false, method: 'POST', isMade: true },
];

describe('a call that fails', () => {
  test('is in the table with every code there is', () => {
    const known = [...Object.keys(vendorErrorCodes), ...Object.keys(egressErrorCodes), 'CONNECTOR_FAILED'];
    expect(failing.map(({ what }) => what).filter((what) => !what.startsWith('HTTP'))).toEqual(known);
  });

  for (const { effect, idempotent, method, isMade } of steps) {
    test.each(failing)(
      `${effect}, ${idempotent ? '' : 'not '}idempotent, ${method}: $what`,
      async ({ result, made, other }) => {
        const { status, code } = await fateOf(result, { effect, idempotent, method });
        const expected = isMade ? made : other;
        expect(status).toBe(expected === 'again' ? 'pending' : 'error');
        expect(code === 'OUTCOME_UNKNOWN').toBe(expected === 'unknown');
      },
    );
  }
});

/** Carried out by the runner and judged by the engine, as in a run; only network and database are left out. */
async function fateOf(
  result: Failing['result'],
  { effect, idempotent, method }: { effect: Effect; idempotent: boolean; method: 'GET' | 'POST' },
): Promise<{ status: StepRow['status']; code: string | undefined }> {
  const step = stepOf({ effect, idempotent });
  const compiled = compileDefinition(
    { actions: [{ id: 'act', kind: 'action', action: 'vendor.act', retry: { max_attempts: 3 } }] },
    { 'vendor.act': { effect, idempotent } },
  );
  const run = { id: 'run', tenant_id: tenant, status: 'running', error: null, cancel_requested_at: null } as RunRow;
  const model = createRunModel(run, compiled, [step]);
  const runner = runnerOf(result, method);
  const attempt = await executeAttempt(
    { model, step, lease: { jobId: 'job', token: 1 }, chain: 0 },
    new AbortController().signal,
    {
      executeStep: (context) =>
        runner.run({
          scope: trustedTenantScope(context.tenantId),
          actionName: context.name,
          connectorId: null,
          input: context.input,
          idempotencyKey: context.idempotencyKey,
          signal: context.signal,
          beforeCall: () => context.markCallStarted(),
        }),
      tracing: { attempt: (_, work) => work() },
      async markCall() {
        step.call_started_at = now;
      },
      stepTimeoutMs: 1000,
      abortGraceMs: 100,
      maxOutputBytes: 1000,
      log: { warn: () => undefined },
    },
  );
  finishAttempt(model, step.id, attempt, { maxBackoffMs: 1000, random: () => 0.5 } as MachineDeps, now);
  return { status: step.status, code: step.error?.code };
}

function runnerOf(result: Failing['result'], method: 'GET' | 'POST') {
  const client = createVendorClient({
    vendor: 'Vendor',
    baseUrl: () => 'https://vendor.example',
    authorize: () => ({}),
  });
  const action = {
    action_id: 'vendor.act',
    definition_id: 'vendor',
    run: async (context) => (await client.call(context, { method, path: '/act', answers: 'text' })).headers,
  } as ActionDefinition;
  return createActionRunner({
    db: { tenant: (_, work) => work({} as never) },
    catalogue: { find: async () => action, checkInput: () => [] },
    connectors: { open: async () => ({ id: 'connector', config: {}, secrets: [], changedAt: now }) },
    egress: {
      async request() {
        if (result instanceof Error) throw result;
        return { headers: {}, text: '', retryAfterS: undefined, ...result };
      },
    },
    circuits: createCircuitBreakers({ now: () => now }),
    now: () => now,
  });
}

function stepOf({ effect, idempotent }: { effect: Effect; idempotent: boolean }): StepRow {
  return {
    id: 'step',
    run_id: 'run',
    tenant_id: tenant,
    action_id: 'act',
    iteration: 0,
    kind: 'action',
    name: 'vendor.act',
    status: 'running',
    skip_reason: null,
    attempt: 1,
    failures: 0,
    input: {},
    output: null,
    error: null,
    effect,
    idempotent,
    list_turn: null,
    child_run_id: null,
    reused: false,
    call_started_at: null,
    available_at: null,
    created_at: now,
    started_at: now,
    finished_at: null,
  };
}
