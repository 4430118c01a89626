import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH } from './children.ts';
import { type ActionNode, continuesOnError, type Definition, dependenciesOf, LIST_ITERATION } from './definition.ts';
import { ancestryOf } from './definition-graph.ts';
import { failure } from './errors.ts';
import type { RunRow, StepRow } from './rows.ts';
import { idempotencyKey, runJobKinds } from './run-model.ts';
import {
  answerStep,
  beginStep,
  endChild,
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
import { createRunWorld, worldTraits } from './testing/run-world.ts';

/** What the world does next; `pick` chooses among the steps, letters or runs it could happen to. */
type Command = { readonly does: string; readonly pick: number };

const commands = [
  'begin',
  'begin',
  'begin',
  'begin',
  'succeed',
  'succeed',
  'succeed',
  'succeed',
  'fail',
  'fail for good',
  'put off',
  'put off',
  'crash',
  'crash in call',
  'time out',
  'answer',
  'expire',
  'timer',
  'deliver',
  'deliver',
  'deliver twice',
  'cancel',
  'cancel a child',
  'deadline',
  'late result',
  'new version',
  'retry',
] as const;

const command = fc.record({ does: fc.constantFrom(...commands), pick: fc.nat(20) });

const inputs = { yes: true, no: false, list: [1, { x: 2 }, 3], good: [{ x: 1 }, { x: 2 }], empty: [] };

type NodePlan = {
  readonly kind: string;
  readonly dependencies: readonly number[];
  readonly when: string | null;
  readonly continues: boolean;
  readonly attempts: number;
  readonly hasDefault: boolean;
  readonly list: string;
  readonly input: string;
  readonly starts: number;
};

const kinds = ['action', 'action', 'change', 'prompt', 'delay', 'list', 'list', 'change list'] as const;

function definitionArbitrary(more: readonly string[], maxNodes: number): fc.Arbitrary<Definition> {
  return fc
    .record({
      nodes: fc.array(
        fc.record({
          kind: fc.constantFrom(...kinds, ...more),
          dependencies: fc.array(fc.nat(30), { maxLength: 3 }),
          when: fc.constantFrom(
            null,
            null,
            null,
            null,
            null,
            null,
            'inputs.yes',
            'inputs.yes',
            'inputs.no',
            'inputs.broken',
          ),
          continues: fc.constantFrom(true, true, false),
          attempts: fc.integer({ min: 1, max: 3 }),
          hasDefault: fc.boolean(),
          list: fc.constantFrom('list', 'good', 'good', 'good', 'good', 'empty', 'no', 'broken'),
          input: fc.constantFrom('{{ item }}', '{{ item.x }}', '{{ index }}'),
          starts: fc.nat(2),
        }),
        { minLength: 1, maxLength: maxNodes },
      ),
      maxConcurrent: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ nodes, maxConcurrent }) => ({
      inputs: { type: 'object', additionalProperties: true },
      exec_options: { max_concurrent_actions: maxConcurrent },
      actions: nodes.map(nodeOf),
    }));
}

function nodeOf(plan: NodePlan, index: number): ActionNode {
  const ids = index === 0 ? [] : plan.dependencies.map((dependency) => `n${dependency % index}`);
  const base = {
    id: `n${index}`,
    depends_on: [...new Set(ids)],
    when: plan.when,
    on_error: plan.continues ? ('continue' as const) : ('fail' as const),
  };
  if (plan.kind === 'delay') return { ...base, kind: 'delay', seconds: 5 };
  if (plan.kind === 'playbook') return { ...base, kind: 'playbook', playbook_id: `p${plan.starts}`, inputs };
  if (plan.kind === 'prompt') {
    const options = [{ value: 'yes', label: 'Yes' }];
    return {
      ...base,
      kind: 'prompt',
      message: 'Go?',
      options,
      expires_in_s: 60,
      default_option: plan.hasDefault ? 'yes' : null,
    };
  }
  const action = plan.kind.startsWith('change') ? 'change' : 'read';
  const retry = { max_attempts: plan.attempts, backoff_s: 1 };
  const repeated = plan.kind.endsWith('list') ? { for_each: `inputs.${plan.list}`, input: { of: plan.input } } : {};
  return { ...base, kind: 'action', action, retry, ...repeated };
}

const scenario = fc.record({
  root: definitionArbitrary(['playbook', 'playbook'], 7),
  library: fc.array(definitionArbitrary(['playbook'], 3), { minLength: 3, maxLength: 3 }),
  list: fc.array(command, { maxLength: 70 }),
});

/** A list behind a chain of actions that may be left out or fail without ending the run, and often behind one beside them. */
const behindOthers = fc.tuple(definitionArbitrary([], 4), fc.nat(3)).map(([definition, looks]): Definition => {
  const others = definition.actions.map(
    (node, index): ActionNode => ({
      ...node,
      depends_on: definition.actions.slice(Math.max(index - 1, 0), index).map(({ id }) => id),
      on_error: 'continue',
      when: node.when === 'inputs.no' ? 'inputs.no' : null,
    }),
  );
  const look: ActionNode[] = looks > 0 ? [{ id: 'look', kind: 'action', action: 'read', on_error: 'continue' }] : [];
  const list: ActionNode = {
    ...{ id: 'list', kind: 'action', action: 'change', for_each: 'inputs.list', input: { of: '{{ index }}' } },
    depends_on: [...look, ...others.slice(-1)].map(({ id }) => id),
  };
  return { ...definition, actions: [...look, ...others, list], exec_options: { max_concurrent_actions: 1 } };
});

/** Plays commands on a run and those it starts, and checks after each that nothing forbidden has happened. */
async function createPlay(root: Definition, library: readonly Definition[]) {
  let version = 0;
  const world = createRunWorld(async (_, { node }) => {
    const number = Number(node.playbook_id.slice(1));
    // At most one run per run, or trees of hundreds of runs would take all the time.
    const definition = library[(number + version) % library.length];
    if (number === 2 || !definition) return null;
    return { definition: withOneChild(definition), traits: worldTraits, name: node.playbook_id };
  });
  const claims = new Map<string, number>();
  const effects = new Map<string, number>();
  let seenSteps = new Map<string, StepStatus>();
  let seenAttempts = new Map<string, number>();
  let seenRuns = new Map<string, { status: RunStatus; row: string; isCancelled: boolean }>();

  const steps = (fits: (step: StepRow) => boolean) =>
    [...world.steps.values()].filter((step) => !step.reused && fits(step));
  const calls = (fits: (step: StepRow) => boolean) =>
    steps((step) => step.kind === 'action' && step.iteration !== LIST_ITERATION && fits(step));
  const pickOf = <T>(list: readonly T[], pick: number) => list[pick % Math.max(list.length, 1)];
  const on = (step: StepRow, work: (...args: [Parameters<Parameters<typeof world.change>[1]>[0], StepRow]) => void) =>
    world.change(step.run_id, (model) => work(model, step));

  async function begin(step: StepRow): Promise<void> {
    claims.set(step.id, (claims.get(step.id) ?? 0) + 1);
    await on(step, (model) => beginStep(model, step.id, claims.get(step.id) ?? 1, world.deps, world.now()));
  }

  async function happens({ does, pick }: Command): Promise<void> {
    const at = world.now();
    const pending = pickOf(
      calls((step) => step.status === 'pending' && step.list_turn !== 'queued'),
      pick,
    );
    const running = pickOf(
      calls((step) => step.status === 'running'),
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
    if (does === 'begin' && pending) return begin(pending);
    if (running) await happensTo(running, does, at);
    if (does === 'answer' && prompt)
      await on(prompt, (model) =>
        answerStep(model, prompt.id, { option: 'yes', username: 'a', comment: null, at }, at),
      );
    if (does === 'expire' && prompt) await on(prompt, (model) => expirePrompt(model, prompt.id, at));
    if (does === 'timer' && delay) await on(delay, (model) => fireTimer(model, delay.id, at));
    if (does.startsWith('deliver')) await deliver(pick, does === 'deliver twice');
    if (does === 'late result' && settled) await comesLate(settled, at);
    await happensToRuns(does, pick, at);
  }

  async function happensTo(step: StepRow, does: string, at: Date): Promise<void> {
    const begun = step.attempt;
    const finish = (result: Parameters<typeof finishAttempt>[2]) =>
      on(step, (model) => finishAttempt(model, step.id, result, world.deps, at));
    if (does === 'succeed') {
      takesEffect(step);
      await finish({ type: 'succeeded', output: { of: step.iteration } });
    }
    if (does.startsWith('fail'))
      await finish({ type: 'failed', error: failure('X', 'x', does === 'fail'), outcomeUnknown: false });
    if (does === 'put off') {
      const error = failure('X', 'x', true);
      await finish({ type: 'failed', error, outcomeUnknown: false, isPostponed: true, retryAfterMs: 100 });
      // Its claim does not count, unless it was one too many.
      const { status, attempt } = world.steps.get(step.id) ?? step;
      if (status === 'pending' && attempt < begun) claims.set(step.id, (claims.get(step.id) ?? 1) - 1);
    }
    if (does === 'time out') await finish({ type: 'timed_out', error: failure('STEP_TIMED_OUT', 'late', true) });
    if (does === 'crash') await begin(step);
    if (does === 'crash in call') {
      const stored = world.steps.get(step.id);
      if (stored) stored.call_started_at = at;
      if (step.effect === 'changes') takesEffect(step);
      await begin(step);
    }
  }

  function takesEffect(step: StepRow): void {
    effects.set(idempotencyKey(step), (effects.get(idempotencyKey(step)) ?? 0) + 1);
  }

  /** A letter stays until it is delivered; one that is delivered twice must not matter. */
  async function deliver(pick: number, twice: boolean): Promise<void> {
    const letter = pickOf(world.letters, pick);
    if (!letter) return;
    if (!twice) world.letters.splice(world.letters.indexOf(letter), 1);
    await world.change(letter.runId, (model) => {
      if (letter.kind === runJobKinds.stop) requestCancel(model, 'system', world.now());
      const step = letter.stepId === null ? undefined : world.steps.get(letter.stepId);
      const child = world.runs.get(step?.child_run_id ?? '');
      if (letter.kind === runJobKinds.childEnded && step && child) endChild(model, step.id, child, world.now());
    });
  }

  async function comesLate(step: StepRow, at: Date): Promise<void> {
    await on(step, (model) => {
      finishAttempt(model, step.id, { type: 'succeeded', output: 'late' }, world.deps, at);
      fireTimer(model, step.id, at);
      expirePrompt(model, step.id, at);
    });
    await begin(step);
  }

  async function happensToRuns(does: string, pick: number, at: Date): Promise<void> {
    const [top] = world.runs.values();
    const child = pickOf(
      [...world.runs.values()].filter(({ parent_run_id }) => parent_run_id !== null),
      pick,
    );
    const ended = pickOf(
      [...world.runs.values()].filter(({ status }) => isRunStatusFinal(status)),
      pick,
    );
    if (does === 'cancel' && top) await world.change(top.id, (model) => requestCancel(model, 'somebody', at));
    if (does === 'cancel a child' && child) await world.change(child.id, (model) => requestCancel(model, 'b', at));
    if (does === 'deadline' && top) await world.change(top.id, (model) => timeOutRun(model));
    if (does === 'new version') version += 1;
    if (does === 'retry' && ended && world.runs.size < 20) {
      const actions = world.compiled.get(ended.id)?.nodes ?? [];
      await world.retry(ended.id, pick % 2 === 0 ? undefined : pickOf(actions, pick)?.id);
    }
  }

  async function play(what: Command): Promise<void> {
    world.pass(1_000);
    await happens(what);
    check();
  }

  function check(): void {
    for (const run of world.runs.values()) checkRun(run.id);
    for (const step of world.steps.values()) checkStep(step);
    for (const count of effects.values()) expect(count).toBeLessThanOrEqual(1);
    expect(world.needless).toEqual([]);
    seenSteps = new Map([...world.steps.values()].map((step) => [step.id, step.status]));
    seenAttempts = new Map([...world.steps.values()].map((step) => [step.id, step.attempt]));
    seenRuns = new Map(
      [...world.runs.values()].map((row) => [
        row.id,
        { status: row.status, row: JSON.stringify(row), isCancelled: row.cancel_requested_at !== null },
      ]),
    );
  }

  function checkRun(runId: string): void {
    const run = world.runs.get(runId);
    const compiled = world.compiled.get(runId);
    if (!run || !compiled) throw new Error('no run');
    const before = seenRuns.get(runId);
    if (before && before.status !== run.status)
      expect([before.status, run.status, canRunBecome(before.status, run.status)]).toContain(true);
    if (before && isRunStatusFinal(before.status)) expect(JSON.stringify(run)).toBe(before.row);
    expect(run.depth).toBeLessThanOrEqual(MAX_DEPTH);
    const own = [...world.steps.values()].filter((step) => step.run_id === runId);
    const active = own.filter(
      (step) =>
        (step.status === 'pending' || step.status === 'running') &&
        step.iteration !== LIST_ITERATION &&
        step.list_turn !== 'queued',
    );
    expect(active.length).toBeLessThanOrEqual(compiled.maxConcurrent);
    const whole = own.filter((step) => step.list_turn === null);
    if (isRunStatusFinal(run.status)) {
      expect(whole).toHaveLength(compiled.nodes.length);
      expect(own.filter((step) => !isStepSettled(step.status))).toEqual([]);
      return;
    }
    // Something named must be there that will move the run.
    expect([...active, ...own.filter(({ status }) => status === 'waiting')].length).toBeGreaterThan(0);
    if (run.status === 'waiting') expect(active).toEqual([]);
  }

  function checkStep(step: StepRow): void {
    const before = seenSteps.get(step.id) ?? null;
    if (before !== step.status && !step.reused)
      expect([before, step.status, step.action_id, reachable(before, step.status)]).toContain(true);
    // Once a cancel is committed nothing more begins, nor is tried again.
    if (seenRuns.get(step.run_id)?.isCancelled) expect(step.attempt).toBe(seenAttempts.get(step.id) ?? 0);
    const compiled = world.compiled.get(step.run_id);
    const node = compiled?.byId.get(step.action_id);
    if (!compiled || !node) throw new Error('no node');
    const own = [...world.steps.values()].filter(({ run_id }) => run_id === step.run_id);
    const whole = (id: string) => own.find((each) => each.action_id === id && each.list_turn === null);
    // Whatever was planned, not left out.
    if (step.skip_reason === null && !step.reused)
      for (const id of ancestryOf(compiled).get(node.id) ?? [])
        expect(isStepSettled(whole(id)?.status ?? 'pending')).toBe(true);
    // Whoever can be asked is waited for, and the other way round.
    if (step.kind === 'prompt' && !step.reused)
      expect(world.prompts.get(step.id)?.isOpen ?? false).toBe(step.status === 'waiting');
    if (step.iteration === LIST_ITERATION)
      checkList(
        step,
        node,
        own.filter((each) => each.action_id === node.id && each.list_turn !== null),
      );
    if (step.kind === 'playbook' && step.status === 'running') {
      const child = world.runs.get(step.child_run_id ?? '');
      const told = world.letters.some((letter) => letter.stepId === step.id);
      expect(child && (!isRunStatusFinal(child.status) || told)).toBe(true);
    }
    // Whoever waits for a run does not end before it.
    if (step.child_run_id && isStepSettled(step.status) && !step.reused)
      expect(isRunStatusFinal(world.runs.get(step.child_run_id)?.status ?? 'pending')).toBe(true);
  }

  function checkList(list: StepRow, node: ActionNode, items: readonly StepRow[]): void {
    const ordered = [...items].sort((a, b) => a.iteration - b.iteration);
    expect(ordered.map(({ iteration }) => iteration)).toEqual(ordered.map((_, index) => index));
    if (isStepSettled(list.status)) expect(items.filter(({ status }) => !isStepSettled(status))).toEqual([]);
    if (list.status === 'success')
      expect(list.output).toEqual(ordered.map(({ status, output }) => (status === 'success' ? output : null)));
    if (continuesOnError(node)) return;
    const failedAt = Math.min(
      ...items.flatMap((item) => (item.status === 'error' ? (item.finished_at?.getTime() ?? []) : [])),
    );
    for (const item of items) if (!item.reused) expect(item.started_at?.getTime() ?? 0).toBeLessThanOrEqual(failedAt);
  }

  const runId = await world.start(root, inputs);
  check();
  return { world, play, runId };
}

/** The world no longer gets in the way: everything ends. */
async function drain(
  play: (what: Command) => Promise<void>,
  world: { readonly runs: ReadonlyMap<string, RunRow> },
): Promise<void> {
  const isOpen = () => [...world.runs.values()].some(({ status }) => !isRunStatusFinal(status));
  for (let round = 0; round < 400 && isOpen(); round += 1) {
    for (const does of ['begin', 'succeed', 'answer', 'timer', 'deliver']) await play({ does, pick: round });
  }
  expect(isOpen()).toBe(false);
}

/** Keeps one node of kind "playbook" and turns the others into plain ones. */
function withOneChild(definition: Definition): Definition {
  let found = false;
  const actions = definition.actions.map((node): ActionNode => {
    if (node.kind !== 'playbook') return node;
    if (!found) {
      found = true;
      return node;
    }
    const { id, depends_on, when, on_error } = node;
    return {
      id,
      kind: 'action',
      action: 'read',
      ...(depends_on ? { depends_on } : {}),
      when: when ?? null,
      on_error: on_error ?? 'fail',
    };
  });
  return { ...definition, actions };
}

/** A step may pass through others between two looks. */
function reachable(from: StepStatus | null, to: StepStatus): boolean {
  if (from === null) return true;
  if (canStepBecome(from, to)) return true;
  // A list of which the last item begins and ends, or is taken over, at once.
  return from === 'pending' && to === 'success';
}

/** Whether what may destroy waits for this question, directly or not, and was not done. */
function isAskedAgain({ actions }: Definition, { kind, action_id }: StepRow, isDone: (id: string) => boolean): boolean {
  const waitsFor = (node: ActionNode): boolean =>
    dependenciesOf(node).some((id) => id === action_id || actions.some((each) => each.id === id && waitsFor(each)));
  const mayDestroy = (node: ActionNode) =>
    node.kind === 'playbook' || (node.kind === 'action' && worldTraits[node.action]?.effect === 'destroys');
  return kind === 'prompt' && actions.some((node) => mayDestroy(node) && waitsFor(node) && !isDone(node.id));
}

function doneIn({ steps }: { steps: ReadonlyMap<string, StepRow> }, runId: string, id: string): boolean {
  return [...steps.values()].some(
    (step) => step.run_id === runId && step.action_id === id && step.list_turn === null && step.status === 'success',
  );
}

describe('any run, whatever happens to it', () => {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 1_000_000_000);

  it(`keeps the invariants and ends or waits for something named (seed ${seed})`, async () => {
    const seen = { ended: 0, lists: 0, children: 0 };
    await fc.assert(
      fc.asyncProperty(scenario, async ({ root, library, list }) => {
        const { play, world, runId } = await createPlay(root, library);
        for (const each of list) await play(each);
        if (isRunStatusFinal(world.runs.get(runId)?.status ?? 'pending')) seen.ended += 1;
        if ([...world.steps.values()].some(({ iteration }) => iteration === 1)) seen.lists += 1;
        if ([...world.runs.values()].some(({ depth }) => depth > 0)) seen.children += 1;
      }),
      { seed, numRuns: 800 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(30);
  });

  it(`ends every run once the world stops getting in the way (seed ${seed})`, async () => {
    let succeeded = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ root, library, list }) => {
        const { play, world } = await createPlay(root, library);
        const harmless = list.slice(0, 15).filter(({ does }) => !['cancel', 'deadline', 'retry'].includes(does));
        for (const each of harmless) await play(each);
        await drain(play, world);
        if ([...world.runs.values()].every(({ status }) => status === 'success')) succeeded += 1;
      }),
      { seed, numRuns: 200 },
    );
    expect(succeeded).toBeGreaterThan(20);
  });

  it(`tries an ended run again without repeating what succeeded (seed ${seed})`, async () => {
    let retried = 0;
    const again = fc.record({ from: fc.option(fc.nat(6), { nil: undefined }), scenario });
    await fc.assert(
      fc.asyncProperty(again, async ({ from, scenario: { root, library, list } }) => {
        const { play, world, runId } = await createPlay(root, library);
        for (const each of list) await play(each);
        await play({ does: 'cancel', pick: 0 });
        await drain(play, world);
        const before = JSON.stringify([...world.steps.values()].filter(({ run_id }) => run_id === runId));
        const action = from === undefined ? undefined : root.actions[from % root.actions.length]?.id;
        const retryId = await world.retry(runId, action);
        await drain(play, world);
        expect(JSON.stringify([...world.steps.values()].filter(({ run_id }) => run_id === runId))).toBe(before);
        const fresh = [...world.steps.values()].filter(({ run_id }) => run_id === retryId);
        for (const step of world.steps.values()) {
          if (step.run_id !== runId || step.status !== 'success' || step.list_turn !== null) continue;
          const copy = fresh.find((each) => each.action_id === step.action_id && each.list_turn === null);
          if (action === undefined && !isAskedAgain(root, step, (id) => doneIn(world, runId, id)))
            expect(copy).toMatchObject({ reused: true, output: step.output, status: 'success' });
          if (step.action_id === action) expect(copy?.reused).toBe(false);
          if (copy?.reused) retried += 1;
        }
      }),
      { seed, numRuns: 250 },
    );
    expect(retried).toBeGreaterThan(15);
  });

  it(`tries a half-done list again without repeating an item, whatever lies before it (seed ${seed})`, async () => {
    const seen = { late: 0, afterUnopened: 0 };
    const halfDone = fc.record({
      root: behindOthers,
      // What comes first fails, so that there is something to be done again before the list.
      fails: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }).map((later) => [true, ...later]),
      // Tries between the two that are cancelled, after so many rounds each.
      between: fc.constantFrom([], [0], [0], [0, 1], [1, 0]),
    });
    await fc.assert(
      fc.asyncProperty(halfDone, async ({ root, fails, between }) => {
        const { play, world, runId } = await createPlay(root, []);
        const itemsOf = (id: string) =>
          [...world.steps.values()].filter((step) => step.run_id === id && step.action_id === 'list' && step.list_turn);
        const done = () => itemsOf(runId).filter(({ status }) => status === 'success');
        for (let round = 0; round < 60 && done().length === 0; round += 1) {
          const ends = fails[round % fails.length] ? 'fail for good' : 'succeed';
          for (const does of ['begin', ends, 'answer', 'timer']) await play({ does, pick: round });
        }
        await play({ does: 'cancel', pick: 0 });
        await drain(play, world);
        if (done().length === 0) return;
        let last = runId;
        for (const rounds of between) {
          last = await world.retry(last);
          for (let round = 0; round < rounds; round += 1)
            for (const does of ['begin', 'succeed', 'answer', 'timer']) await play({ does, pick: round });
          await world.change(last, (model) => requestCancel(model, 'somebody', world.now()));
          await drain(play, world);
        }
        if (last !== runId && itemsOf(last).length === 0) seen.afterUnopened += 1;
        const retryId = await world.retry(last);
        if (itemsOf(retryId).length === 0) seen.late += 1;
        await drain(play, world);
        for (const { iteration, input, output } of done()) {
          const copy = itemsOf(retryId).find((each) => each.iteration === iteration);
          expect(copy).toMatchObject({ reused: true, status: 'success', input, output });
        }
      }),
      { seed, numRuns: 60 },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  it(`announces every change of status with exactly one event (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ root, library, list }) => {
        const { play, world } = await createPlay(root, library);
        for (const each of list) await play(each);
        const finished = world.events.filter(({ type }) => type === 'run.finished').length;
        expect(finished).toBe([...world.runs.values()].filter(({ status }) => isRunStatusFinal(status)).length);
        const settled = world.events.filter(({ type }) => type === 'step.finished' || type === 'step.skipped').length;
        const own = [...world.steps.values()].filter((step) => !step.reused && step.iteration !== LIST_ITERATION);
        expect(settled).toBe(own.filter(({ status }) => isStepSettled(status)).length);
      }),
      { seed, numRuns: 200 },
    );
  });
});
