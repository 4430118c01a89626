/**
 * Runs without a database: the machine as it is, over rows kept in memory. After every transaction a run is written the way
 * `saveRuns` writes it (only what the machine marked as changed) and loaded anew the way `loadLockedRuns` loads it (outputs
 * of a list only when it may end, others only when they are read), so that what the machine forgets to mark is lost here too.
 */
import { advanceRuns, type ChildDeps } from '../children.ts';
import type { CompiledDefinition, Definition, TraitsByName } from '../definition.ts';
import { LIST_ITERATION } from '../definition.ts';
import type { EngineEvent } from '../events.ts';
import type { ResolvePlaybook, SqlClient } from '../interfaces.ts';
import { type Link, reusableSteps, takeOver } from '../reuse.ts';
import type { RunRow, StepRow } from '../rows.ts';
import { createRunModel, type NewRunJob, type RunModel, runJobKinds } from '../run-model.ts';
import { newRunModel, noOrigin } from '../run-row.ts';
import { isStepSettled } from '../statuses.ts';
import { testEvaluator } from './test-evaluator.ts';

export const worldTraits: TraitsByName = {
  read: { effect: 'reads', idempotent: true },
  change: { effect: 'changes', idempotent: false },
};

/** Word from one run to another that has not been delivered. */
export type Letter = Pick<NewRunJob, 'kind' | 'stepId'> & { readonly runId: string };

export interface RunWorld {
  readonly runs: ReadonlyMap<string, RunRow>;
  readonly steps: ReadonlyMap<string, StepRow>;
  readonly compiled: ReadonlyMap<string, CompiledDefinition>;
  readonly letters: Letter[];
  /** By the id of their step: whether they can be answered. */
  readonly prompts: ReadonlyMap<string, { readonly isOpen: boolean }>;
  /** Ids of steps that had ended when a job was written for them. */
  readonly needless: readonly string[];
  readonly events: EngineEvent[];
  readonly deps: ChildDeps;
  now(): Date;
  pass(ms: number): void;
  start(definition: Definition, inputs: unknown): Promise<string>;
  /** As `startRun` with `reuse` does. */
  retry(runId: string, from?: string): Promise<string>;
  /** One transaction about one run. `signals`: how many things happen in it. */
  change(runId: string, work: (model: RunModel) => void, signals?: number): Promise<void>;
}

export function createRunWorld(resolvePlaybook: ResolvePlaybook = () => Promise.resolve(null)): RunWorld {
  const runs = new Map<string, RunRow>();
  const steps = new Map<string, StepRow>();
  const compiled = new Map<string, CompiledDefinition>();
  const letters: Letter[] = [];
  const prompts = new Map<string, { isOpen: boolean }>();
  const needless: string[] = [];
  const events: EngineEvent[] = [];
  let lastId = 0;
  let nowMs = 0;
  const now = () => new Date(nowMs);
  const deps: ChildDeps = {
    evaluator: testEvaluator,
    ids() {
      lastId += 1;
      return `id-${lastId}`;
    },
    random: () => 0.5,
    maxInputBytes: 10_000,
    maxOutputBytes: 10_000,
    maxBackoffMs: 60_000,
    maxLeaseLosses: 2,
    validHashes: new Set(),
    resolvePlaybook,
  };
  /** Answers what the machine asks the database: how many runs a tree has, what runs did before, or outputs of a run. */
  const tx: SqlClient = {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const [runId, , actionIds] = values;
      if (text.includes('recursive chain')) {
        const rows = chainOf(String(values[1]));
        return { rows: rows as Row[], rowCount: rows.length };
      }
      if (values.length === 2) {
        const rows = stepsDone(String(runId));
        return { rows: rows as Row[], rowCount: rows.length };
      }
      const outputs = [...steps.values()].filter(
        (step) =>
          step.run_id === runId &&
          step.list_turn === null &&
          Array.isArray(actionIds) &&
          actionIds.includes(step.action_id),
      );
      const count = [...runs.values()].filter((run) => run.root_run_id === runId).length;
      const rows = Array.isArray(actionIds) ? outputs : [{ runs: count }];
      return { rows: rows as Row[], rowCount: rows.length };
    },
  };

  function save(model: RunModel): void {
    const { row, changes } = model;
    if (changes.created || changes.run) runs.set(row.id, { ...row });
    if (changes.created) compiled.set(row.id, model.compiled);
    for (const step of [...changes.newSteps, ...changes.changedSteps]) steps.set(step.id, { ...step });
    events.push(...changes.events);
    // In one statement: what it inserts, its updates and deletes do not see.
    for (const id of changes.closedPrompts.keys()) if (prompts.has(id)) prompts.set(id, { isOpen: false });
    for (const { id, closed_at } of changes.newPrompts) prompts.set(id, { isOpen: closed_at === null });
    for (const { kind, runId, stepId } of changes.newJobs) {
      if (kind === runJobKinds.childEnded || kind === runJobKinds.stop)
        letters.push({ kind, stepId, runId: runId ?? row.id });
      else if (stepId !== null && isStepSettled(steps.get(stepId)?.status ?? 'pending')) needless.push(stepId);
    }
  }

  async function commit(model: RunModel): Promise<void> {
    for (const each of await advanceRuns(tx, [model], deps, now())) save(each);
  }

  function load(runId: string, signals: number): RunModel {
    const row = runs.get(runId);
    const definition = compiled.get(runId);
    if (!row || !definition) throw new Error(`no run ${runId}`);
    const rows = [...steps.values()].filter((step) => step.run_id === runId).map((step) => ({ ...step }));
    const whole = rows.filter(({ list_turn }) => list_turn === null);
    const model = createRunModel({ ...row }, definition, whole);
    for (const step of whole.filter(({ output }) => output !== null)) {
      step.output = null;
      model.unreadOutputs.add(step.action_id);
    }
    for (const list of whole.filter((step) => step.iteration === LIST_ITERATION && step.finished_at === null)) {
      const items = rows
        .filter((step) => step.list_turn !== null && step.action_id === list.action_id)
        .sort((a, b) => a.iteration - b.iteration);
      const mayEnd = items.filter(({ finished_at }) => finished_at === null).length <= signals;
      model.items.set(list.action_id, mayEnd ? items : items.map((item) => ({ ...item, output: null })));
      if (!mayEnd) model.listOutputs.set(list.action_id, 'unknown');
    }
    return model;
  }

  async function start(definition: Definition, inputs: unknown): Promise<string> {
    const input = { tenantId: 'tenant', kind: 'test', name: 'test', definition, traits: worldTraits, inputs };
    const model = newRunModel(input, noOrigin, deps, now());
    await commit(model);
    return model.row.id;
  }

  async function retry(runId: string, from?: string): Promise<string> {
    const row = runs.get(runId);
    const definition = compiled.get(runId)?.definition;
    if (!row || !definition) throw new Error(`no run ${runId}`);
    const input = {
      tenantId: 'tenant',
      kind: 'test',
      name: 'test',
      definition,
      traits: worldTraits,
      inputs: row.inputs,
    };
    const model = newRunModel(input, { ...noOrigin, retry_of: runId, retry_from: from ?? null }, deps, now());
    const earlier = await reusableSteps(tx, model.compiled, { tenantId: 'tenant', chain: chainOf(runId) });
    takeOver(model, { input, steps: earlier }, from, deps);
    await commit(model);
    return model.row.id;
  }

  function chainOf(runId: string): Link[] {
    const { retry_of: before = null, retry_from: from = null } = runs.get(runId) ?? {};
    return [{ id: runId, from }, ...(before === null ? [] : chainOf(before))];
  }

  function stepsDone(runId: string): StepRow[] {
    return [...steps.values()].filter(
      (step) => step.run_id === runId && (step.status === 'success' || step.list_turn !== null),
    );
  }

  return {
    runs,
    steps,
    compiled,
    letters,
    prompts,
    needless,
    events,
    deps,
    now,
    pass(ms) {
      nowMs += ms;
    },
    start,
    retry,
    async change(runId, work, signals = 1) {
      const model = load(runId, signals);
      work(model);
      await commit(model);
    },
  };
}
