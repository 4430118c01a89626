/**
 * Loads runs for change. The run's row lock serialises everything that happens to it. Steps (and the fence of leases) are
 * read by later statements, because a statement that had to wait for the lock still sees them as they were before it waited.
 *
 * Lock order of the engine: runs, by id, in one statement and before anything else; then leases, holds. A run and those it
 * started are never locked for each other's sake: word between them travels as jobs. The lock is `for no key update`, as an
 * update takes, because a job for another run only checks that run's key.
 *
 * A run changes with every step that begins or ends, so that what is loaded each time must not grow with what the run has
 * done: inputs are of steps that begin now, larger outputs are left until an expression reads them.
 */
import {
  type ActionNode,
  type CompiledDefinition,
  compileDefinition,
  LIST_ITERATION,
  MAX_CONCURRENT_ACTIONS,
} from './definition.ts';
import type { DefinitionCache } from './definition-cache.ts';
import type { SqlClient } from './interfaces.ts';
import { readItems } from './reuse.ts';
import { type RunRow, runColumns, type StepRow, stepOutlineColumns } from './rows.ts';
import { createRunModel, type RunModel } from './run-model.ts';
import { endAltered } from './run-signals.ts';

/** Locked in the order of their ids, so that two transactions cannot wait for each other. */
export async function lockRuns(tx: SqlClient, runIds: readonly string[]): Promise<RunRow[]> {
  const { rows } = await tx.query<RunRow>(
    `select ${runColumns('r')} from engine.run r where r.id = any($1::uuid[]) order by r.id for no key update`,
    [runIds],
  );
  return rows;
}

export type LoadDeps = { readonly definitions: DefinitionCache; readonly maxOutputBytes: number };

/** What is about to happen to the runs: nothing by default. */
export type Coming = {
  /** How many things happen to each run. Each can settle one item of a list. */
  readonly signals: ReadonlyMap<string, number>;
  /** Ids of the steps that begin. */
  readonly beginning: readonly string[];
};

const nothingComing: Coming = { signals: new Map(), beginning: [] };

export async function loadLockedRuns(
  tx: SqlClient,
  runs: readonly RunRow[],
  deps: LoadDeps,
  { signals, beginning }: Coming = nothingComing,
): Promise<Map<string, RunModel>> {
  const { rows } = await tx.query<LoadedStep>(
    `select ${loadedColumns} from engine.step s where s.run_id = any($1::uuid[]) and s.list_turn is null`,
    [runs.map(({ id }) => id), beginning],
  );
  const byRun = new Map<string, LoadedStep[]>(runs.map(({ id }) => [id, []]));
  const tenants = new Map(runs.map(({ id, tenant_id }) => [id, tenant_id]));
  // A run acts for its own tenant: a step of another one is none of its steps, whatever its row says.
  const isOwn = (step: StepRow) => step.tenant_id === tenants.get(step.run_id);
  for (const step of rows) if (isOwn(step)) byRun.get(step.run_id)?.push(step);
  const compiledOf = await deps.definitions.getMany(tx, runs);
  const models = new Map(runs.map((run) => [run.id, modelOf(run, compiledOf(run), byRun.get(run.id) ?? [])]));
  const lists = rows.filter((step) => step.iteration === LIST_ITERATION && step.finished_at === null && isOwn(step));
  if (lists.length > 0) await loadItems(tx, { lists, models, signals }, deps);
  return models;
}

type LoadedStep = StepRow & { readonly unread: boolean | null };

/** About what PostgreSQL keeps in the row itself; all beyond has to be fetched and unpacked. */
const SMALL_OUTPUT_BYTES = 2_048;

const loadedColumns = `${stepOutlineColumns('s')},
  case when s.id = any($2::uuid[]) then s.input end as input,
  case when pg_column_size(s.output) <= ${SMALL_OUTPUT_BYTES} then s.output end as output,
  pg_column_size(s.output) > ${SMALL_OUTPUT_BYTES} as unread`;

function modelOf(run: RunRow, compiled: CompiledDefinition | null, loaded: readonly LoadedStep[]): RunModel {
  const steps = loaded.map(({ unread: _, ...step }) => step);
  if (compiled) {
    const model = createRunModel(run, compiled, steps);
    for (const { unread, action_id } of loaded) if (unread) model.unreadOutputs.add(action_id);
    return model;
  }
  const model = createRunModel(run, compileDefinition({ actions: steps.map(nodeOf) }, {}), steps);
  endAltered(model);
  return model;
}

/** As much of an action as it takes to end it. */
function nodeOf({ action_id: id, kind, name, iteration }: StepRow): ActionNode {
  if (kind === 'prompt') return { id, kind, message: '', options: [] };
  if (kind === 'delay') return { id, kind, seconds: 0 };
  if (kind === 'playbook') return { id, kind, playbook_id: '' };
  return { id, kind, action: name, for_each: iteration === LIST_ITERATION ? '' : null };
}

/**
 * Brings in outputs that were left in the database; of a list that has no step yet, its reusable items and then their
 * outputs.
 */
export async function readOutputs(tx: SqlClient, model: RunModel, actionIds: readonly string[]): Promise<void> {
  const { id, tenant_id, retry_of } = model.row;
  if (actionIds.some((actionId) => model.unreadItems.has(actionId))) {
    await readItems(tx, model, actionIds);
    return;
  }
  const lists = actionIds.filter((actionId) => !model.steps.has(actionId));
  const [offered] = lists.flatMap((actionId) => [...(model.reusableItems.get(actionId)?.values() ?? [])]);
  // What is not taken over yet is only where it comes from, and so is what a run took over until it is stored.
  const runId = offered?.run_id ?? (model.changes.created ? retry_of : id);
  const { rows } = await tx.query<Pick<StepRow, 'action_id' | 'iteration' | 'list_turn' | 'output'>>(
    `select s.action_id, s.iteration, s.list_turn, s.output from engine.step s
     where s.run_id = $1 and s.tenant_id = $2 and s.action_id = any($3::text[])
       and (s.list_turn is not null) = (s.action_id = any($4::text[]))`,
    [runId, tenant_id, actionIds, lists],
  );
  for (const { action_id, iteration, list_turn, output } of rows) {
    const step = model.steps.get(action_id);
    const item = model.reusableItems.get(action_id)?.get(iteration);
    if (list_turn === null && step) step.output = output;
    if (list_turn !== null && item) Object.assign(item, { output, unreadBytes: null });
  }
  for (const actionId of actionIds) model.unreadOutputs.delete(actionId);
}

type OpenLists = {
  readonly lists: readonly StepRow[];
  readonly models: ReadonlyMap<string, RunModel>;
  readonly signals: ReadonlyMap<string, number>;
};

/**
 * A list may have a thousand items, and a result comes in for each: inputs are read of those that may begin now, outputs
 * only when the list may end with what is about to happen.
 */
async function loadItems(tx: SqlClient, { lists, models, signals }: OpenLists, deps: LoadDeps): Promise<void> {
  const { rows } = await tx.query<StepRow>(
    `select ${itemColumns}
     from (select s.*, min(s.iteration) filter (where s.list_turn = 'queued' and s.finished_at is null)
             over (partition by s.run_id, s.action_id) as next_turn
           from engine.step s join unnest($1::uuid[], $2::text[]) as l(run_id, action_id)
             on s.run_id = l.run_id and s.action_id = l.action_id
           where s.iteration >= 0) s
     order by s.run_id, s.action_id, s.iteration`,
    [lists.map(({ run_id }) => run_id), lists.map(({ action_id }) => action_id)],
  );
  for (const list of lists) models.get(list.run_id)?.items.set(list.action_id, []);
  for (const item of rows) {
    const model = models.get(item.run_id);
    if (model?.row.tenant_id === item.tenant_id) model.items.get(item.action_id)?.push(item);
  }
  const ending = lists.filter(({ run_id, action_id }) => {
    const items = models.get(run_id)?.items.get(action_id) ?? [];
    const open = items.filter(({ finished_at }) => finished_at === null).length;
    const mayEnd = open <= (signals.get(run_id) ?? 0);
    if (!mayEnd) models.get(run_id)?.listOutputs.set(action_id, 'unknown');
    return mayEnd;
  });
  if (ending.length > 0) await loadOutputs(tx, { lists: ending, models }, deps);
}

const itemColumns = `${stepOutlineColumns('s')},
  case when s.finished_at is null and (s.list_turn = 'taken' or s.iteration < s.next_turn + ${MAX_CONCURRENT_ACTIONS})
    then s.input end as input,
  null::jsonb as output`;

/** All outputs of a list or, when together they are more than can be kept, none. */
async function loadOutputs(
  tx: SqlClient,
  { lists, models }: { lists: readonly StepRow[]; models: ReadonlyMap<string, RunModel> },
  deps: LoadDeps,
): Promise<void> {
  const { rows } = await tx.query<Pick<StepRow, 'run_id' | 'action_id' | 'iteration' | 'output'> & { fits: boolean }>(
    `select s.run_id, s.action_id, s.iteration, s.fits, case when s.fits then s.output end as output
     from (select s.*, sum(octet_length(s.output::text)) over (partition by s.run_id, s.action_id) <= $3 as fits
           from engine.step s join unnest($1::uuid[], $2::text[]) as l(run_id, action_id)
             on s.run_id = l.run_id and s.action_id = l.action_id
           where s.iteration >= 0 and s.output is not null) s`,
    [lists.map(({ run_id }) => run_id), lists.map(({ action_id }) => action_id), deps.maxOutputBytes],
  );
  for (const { run_id, action_id, iteration, output, fits } of rows) {
    const model = models.get(run_id);
    const item = model?.items.get(action_id)?.[iteration];
    if (item) item.output = output;
    if (!fits) model?.listOutputs.set(action_id, 'too_large');
  }
}
