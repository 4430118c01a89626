import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ActionNode, compileDefinition, type Definition, dependenciesOf } from './definition.ts';
import { failure } from './errors.ts';
import type { StepRow } from './rows.ts';
import { advance } from './run-machine.ts';
import { createRunModel, type MachineDeps, type RunModel } from './run-model.ts';
import {
  answerStep,
  beginStep,
  expirePrompt,
  finishAttempt,
  fireTimer,
  requestCancel,
  timeOutRun,
} from './run-signals.ts';
import {
  canRunBecome,
  canStepBecome,
  isRunStatusFinal,
  isStepSettled,
  type RunStatus,
  type StepStatus,
} from './statuses.ts';
import { testEvaluator } from './testing/test-evaluator.ts';

let lastId = 0;
const deps: MachineDeps = {
  evaluator: testEvaluator,
  ids() {
    lastId += 1;
    return `id-${lastId}`;
  },
  random: () => 0.5,
  maxInputBytes: 10_000,
  maxBackoffMs: 60_000,
  maxLeaseLosses: 2,
};

const traits = {
  read: { effect: 'reads', idempotent: true },
  change: { effect: 'changes', idempotent: false },
} as const;

function newRun(definition: Definition): RunModel {
  const now = new Date(0);
  return createRunModel(
    {
      id: 'run',
      tenant_id: 'tenant',
      kind: 'test',
      name: 'test',
      definition_hash: '',
      status: 'pending',
      inputs: { yes: true, no: false },
      outputs: null,
      error: null,
      trigger: null,
      subject: null,
      priority: 0,
      dry_run: false,
      cancel_requested_at: null,
      cancel_requested_by: null,
      deadline_at: null,
      created_at: now,
      updated_at: now,
      started_at: null,
      finished_at: null,
    },
    compileDefinition(definition, traits),
    [],
  );
}

/** What the world does next to a run; `pick` chooses among the steps it could happen to. */
type Command = { readonly does: string; readonly pick: number };

const commands = [
  'begin',
  'begin',
  'begin',
  'succeed',
  'succeed',
  'succeed',
  'fail',
  'fail for good',
  'crash',
  'crash in call',
  'time out',
  'answer',
  'expire',
  'timer',
  'cancel',
  'deadline',
  'late result',
] as const;

const command = fc.record({ does: fc.constantFrom(...commands), pick: fc.nat(20) });

const definitionArbitrary: fc.Arbitrary<Definition> = fc
  .record({
    nodes: fc.array(
      fc.record({
        kind: fc.constantFrom('action', 'action', 'action', 'change', 'prompt', 'delay'),
        dependencies: fc.array(fc.nat(30), { maxLength: 3 }),
        when: fc.constantFrom(null, null, null, 'inputs.yes', 'inputs.no', 'inputs.broken'),
        continues: fc.boolean(),
        attempts: fc.integer({ min: 1, max: 3 }),
        hasDefault: fc.boolean(),
      }),
      { minLength: 1, maxLength: 9 },
    ),
    maxConcurrent: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ nodes, maxConcurrent }) => ({
    exec_options: { max_concurrent_actions: maxConcurrent },
    actions: nodes.map((node, index) => {
      const ids = index === 0 ? [] : node.dependencies.map((dependency) => `n${dependency % index}`);
      const base = {
        id: `n${index}`,
        depends_on: [...new Set(ids)],
        when: node.when,
        on_error: node.continues ? ('continue' as const) : ('fail' as const),
      };
      if (node.kind === 'delay') return { ...base, kind: 'delay', seconds: 5 } as ActionNode;
      if (node.kind === 'prompt') {
        const options = [{ value: 'yes', label: 'Yes' }];
        const rest = { message: 'Go?', options, expires_in_s: 60, default_option: node.hasDefault ? 'yes' : null };
        return { ...base, kind: 'prompt', ...rest } as ActionNode;
      }
      const name = node.kind === 'change' ? 'change' : 'read';
      return {
        ...base,
        kind: 'action',
        action: name,
        retry: { max_attempts: node.attempts, backoff_s: 1 },
      } as ActionNode;
    }),
  }));

/** Plays commands on one run and checks after each that nothing forbidden has happened. */
function createPlay(definition: Definition) {
  const model = newRun(definition);
  const claims = new Map<string, number>();
  const effects = new Map<string, number>();
  let nowMs = 0;
  let seen = new Map<string, StepStatus>();
  let status: RunStatus = model.row.status;

  const now = () => new Date(nowMs);
  const steps = (fits: (step: StepRow) => boolean) => [...model.steps.values()].filter(fits);
  const pickOf = (list: StepRow[], pick: number) => list[pick % Math.max(list.length, 1)];

  function settleOne(does: string, pick: number): void {
    const pending = pickOf(
      steps((step) => step.status === 'pending'),
      pick,
    );
    const running = pickOf(
      steps((step) => step.status === 'running'),
      pick,
    );
    const prompt = pickOf(
      steps((step) => step.status === 'waiting' && step.kind === 'prompt'),
      pick,
    );
    const delay = pickOf(
      steps((step) => step.status === 'waiting' && step.kind === 'delay'),
      pick,
    );
    const settled = pickOf(
      steps((step) => isStepSettled(step.status)),
      pick,
    );
    const at = now();
    if (does === 'begin' && pending) begin(pending);
    if (does === 'succeed' && running) {
      effects.set(running.id, (effects.get(running.id) ?? 0) + 1);
      finishAttempt(model, running.id, { type: 'succeeded', output: { ok: true } }, deps, at);
    }
    const failed = { type: 'failed', error: failure('X', 'x', does === 'fail'), outcomeUnknown: false } as const;
    if (does.startsWith('fail') && running) finishAttempt(model, running.id, failed, deps, at);
    if (does === 'time out' && running) {
      finishAttempt(model, running.id, { type: 'timed_out', error: failure('STEP_TIMED_OUT', 'late', true) }, deps, at);
    }
    if (does === 'crash' && running) begin(running);
    if (does === 'crash in call' && running) {
      running.call_started_at = at;
      if (running.effect === 'changes') effects.set(running.id, (effects.get(running.id) ?? 0) + 1);
      begin(running);
    }
    if (does === 'answer' && prompt)
      answerStep(model, prompt.id, { option: 'yes', username: 'a', comment: null, at }, at);
    if (does === 'expire' && prompt) expirePrompt(model, prompt.id, at);
    if (does === 'timer' && delay) fireTimer(model, delay.id, at);
    if (does === 'cancel') requestCancel(model, 'somebody', at);
    if (does === 'deadline') timeOutRun(model);
    if (does === 'late result' && settled) {
      finishAttempt(model, settled.id, { type: 'succeeded', output: 'late' }, deps, at);
      fireTimer(model, settled.id, at);
      expirePrompt(model, settled.id, at);
      begin(settled);
    }
  }

  function begin(step: StepRow): void {
    claims.set(step.id, (claims.get(step.id) ?? 0) + 1);
    beginStep(model, step.id, claims.get(step.id) ?? 1, deps, now());
  }

  function check(): void {
    if (status !== model.row.status)
      expect([status, model.row.status, canRunBecome(status, model.row.status)]).toContain(true);
    for (const step of model.steps.values()) {
      const before = seen.get(step.id) ?? null;
      if (before !== step.status) expect([before, step.status, reachable(before, step.status)]).toContain(true);
      const dependencies = dependenciesOf(model.compiled.byId.get(step.action_id) ?? ({} as ActionNode));
      if (step.started_at)
        for (const id of dependencies) expect(isStepSettled(model.steps.get(id)?.status ?? 'pending')).toBe(true);
    }
    const active = steps((step) => step.status === 'pending' || step.status === 'running').length;
    expect(active).toBeLessThanOrEqual(model.compiled.maxConcurrent);
    for (const [id, count] of effects)
      if (steps((step) => step.id === id)[0]?.effect === 'changes') expect(count).toBeLessThanOrEqual(1);
    if (isRunStatusFinal(model.row.status)) {
      expect(model.steps.size).toBe(model.compiled.nodes.length);
      expect(steps((step) => !isStepSettled(step.status))).toEqual([]);
    } else {
      // Something named must be there that will move the run.
      expect(steps((step) => !isStepSettled(step.status)).length).toBeGreaterThan(0);
      if (model.row.status === 'waiting') expect(active).toBe(0);
    }
    seen = new Map([...model.steps.values()].map((step) => [step.id, step.status]));
    status = model.row.status;
  }

  function play({ does, pick }: Command): void {
    nowMs += 1_000;
    settleOne(does, pick);
    advance(model, deps, now());
    check();
  }

  advance(model, deps, now());
  check();
  return { model, play, steps };
}

/** A step may pass through `pending` and `running` between two looks. */
function reachable(from: StepStatus | null, to: StepStatus): boolean {
  if (canStepBecome(from, to)) return true;
  return from === null
    ? canStepBecome('pending', to) || canStepBecome('waiting', to)
    : from === 'running' && to === 'running';
}

describe('any run, whatever happens to it', () => {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 1_000_000_000);

  it(`keeps the invariants and ends or waits for something named (seed ${seed})`, () => {
    let ended = 0;
    fc.assert(
      fc.property(definitionArbitrary, fc.array(command, { maxLength: 60 }), (definition, list) => {
        const { play, model } = createPlay(definition);
        for (const each of list) play(each);
        if (isRunStatusFinal(model.row.status)) ended += 1;
      }),
      { seed, numRuns: 1_500 },
    );
    expect(ended).toBeGreaterThan(100);
  });

  it(`ends every run once the world stops getting in the way (seed ${seed})`, () => {
    let succeeded = 0;
    fc.assert(
      fc.property(definitionArbitrary, fc.array(command, { maxLength: 15 }), (definition, list) => {
        const { play, model } = createPlay(definition);
        for (const each of list) if (each.does !== 'cancel' && each.does !== 'deadline') play(each);
        for (let round = 0; round < 60; round += 1) {
          for (const does of ['begin', 'succeed', 'answer', 'timer'] as const) play({ does, pick: round });
        }
        expect(isRunStatusFinal(model.row.status)).toBe(true);
        if (model.row.status === 'success') succeeded += 1;
      }),
      { seed, numRuns: 500 },
    );
    expect(succeeded).toBeGreaterThan(50);
  });

  it(`announces every change of status with exactly one event (seed ${seed})`, () => {
    fc.assert(
      fc.property(definitionArbitrary, fc.array(command, { maxLength: 60 }), (definition, list) => {
        const { play, model } = createPlay(definition);
        for (const each of list) play(each);
        const { events } = model.changes;
        const finished = events.filter(({ type }) => type === 'run.finished').length;
        expect(finished).toBe(isRunStatusFinal(model.row.status) ? 1 : 0);
        const settled = events.filter(({ type }) => type === 'step.finished' || type === 'step.skipped').length;
        expect(settled).toBe([...model.steps.values()].filter(({ status }) => isStepSettled(status)).length);
      }),
      { seed, numRuns: 500 },
    );
  });
});
