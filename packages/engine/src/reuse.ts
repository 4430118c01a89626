/**
 * Trying an ended run again. The ended run stays as it is; a new one of the same definition and inputs takes over what
 * succeeded and does the rest. What succeeded is not repeated, even where something it depends on is: an effect once made
 * stays made. `from` names an action that is repeated all the same, with everything downstream of it.
 *
 * An answer is not taken over where something that destroys, or may, comes after it and is still to do: who said yes said it
 * to what was done then. It is where a list behind it is half done, which is to be done with what is left.
 *
 * A run that is tried again may have tried another one again and ended before it opened a list: its items are then those of
 * the run before it, or of the one before that. They stay that run's until a new list takes them over.
 *
 * What steps were given and gave, up to a MiB each, is not read: `saveRuns` copies it within the database. Read are the
 * inputs of items that may be taken over, which a list keeps small together, to be compared with those of the new list: as
 * the run begins or, of a list that waits for something that is done again, when it opens.
 */
import {
  type CompiledDefinition,
  compileDefinition,
  type Definition,
  LIST_ITERATION,
  type TraitsByName,
  traitsOf,
} from './definition.ts';
import { ancestryOf } from './definition-graph.ts';
import { EngineError } from './errors.ts';
import type { RetryRunInput, SqlClient, StartRunInput } from './interfaces.ts';
import type { ReusableItem } from './plan-draft.ts';
import { type RunRow, runColumns, type StepRow, stepOutlineColumns } from './rows.ts';
import { type RunModel, unopenedLists } from './run-model.ts';

export type EarlierRun = {
  /** What the new run is started with. */
  readonly input: StartRunInput;
  /** Those that succeeded, and items of lists however they ended, also of runs before it. */
  readonly steps: readonly EarlierStep[];
};

type EarlierStep = StepRow & Pick<ReusableItem, 'unreadBytes'>;

/** How far back runs are followed that try each other again. */
const MAX_LINKS = 1_000;

/**
 * Locked until the transaction ends, with the first of the runs that try each other again: of several who try them again at
 * once, the others find what the first did. Throws RUN_NOT_FOUND, RUN_NOT_FINISHED, RUN_BEING_RETRIED and ACTION_UNKNOWN.
 */
export async function loadEarlierRun(tx: SqlClient, request: RetryRunInput): Promise<EarlierRun> {
  const { tenantId } = request;
  const { runId, from } = request.reuse;
  const chain = await chainOf(tx, { tenantId, runId });
  const { rows } = await tx.query<RunRow & { body: Definition; traits: TraitsByName }>(
    `select ${runColumns('r')}, d.body, d.traits from engine.run r
     join engine.definition d on d.tenant_id = r.tenant_id and d.hash = r.definition_hash
     where r.tenant_id = $1 and r.id = any($2::uuid[]) order by r.id for no key update of r`,
    [tenantId, [runId, ...chain.slice(-1).map(({ id }) => id)]],
  );
  const run = rows.find(({ id }) => id === runId);
  if (!run) throw new EngineError('RUN_NOT_FOUND', `There is no run "${runId}".`, { runId });
  if (run.finished_at === null)
    throw new EngineError('RUN_NOT_FINISHED', 'Only a run that has ended can be tried again.', { runId });
  await refuseTwoAtOnce(tx, request, chain);
  if (from !== undefined && !run.body.actions.some(({ id }) => id === from))
    throw new EngineError('ACTION_UNKNOWN', `The run has no action "${from}".`, { runId, actionId: from });
  const compiled = compileDefinition(run.body, run.traits);
  const steps = await reusableSteps(tx, compiled, { tenantId, chain });
  return { input: { ...inputOf(run), ...ownPart(request) }, steps };
}

/** A run of those that try each other again, and the action it was begun from. */
export type Link = { readonly id: string; readonly from: string | null };

/** The run, the one it tries again, what that one tries again and so on, as far as they are still there. */
async function chainOf(
  tx: SqlClient,
  { tenantId, runId }: { tenantId: string; runId: string },
): Promise<readonly Link[]> {
  const { rows } = await tx.query<Link>(
    `with recursive chain as (
       select r.id, r.retry_of, r.retry_from, 0 as link from engine.run r where r.tenant_id = $1 and r.id = $2
       union all
       select r.id, r.retry_of, r.retry_from, c.link + 1 from chain c
       join engine.run r on r.tenant_id = $1 and r.id = c.retry_of
       where c.link < ${MAX_LINKS})
     select id, retry_from as "from" from chain order by link`,
    [tenantId, runId],
  );
  return rows;
}

/** What may be taken over of the first run of the chain and, of lists it did not open, of those before it. */
export async function reusableSteps(
  tx: SqlClient,
  compiled: CompiledDefinition,
  { tenantId, chain: [latest, ...before] }: { tenantId: string; chain: readonly Link[] },
): Promise<EarlierStep[]> {
  if (latest === undefined) return [];
  const steps = await earlierSteps(tx, { tenantId, runId: latest.id });
  const repeats = repeatedBy(compiled, latest.from);
  const lists = unopenedLists(compiled, new Set(steps.map(({ action_id }) => action_id))).filter((id) => !repeats(id));
  return [...steps, ...(await earlierItems(tx, compiled, { tenantId, chain: before, kept: reusedIn(steps), lists }))];
}

async function earlierSteps(
  tx: SqlClient,
  { tenantId, runId }: { tenantId: string; runId: string },
): Promise<EarlierStep[]> {
  // Only outputs of items that may be taken over are weighed: they have to fit together.
  const { rows } = await tx.query<EarlierStep>(
    `select ${stepOutlineColumns('s')},
       case when s.status = 'success' and l.status <> 'success' then s.input end as input,
       null::jsonb as output,
       case when s.output is null then null when l.status <> 'success' then octet_length(s.output::text) else 0 end as "unreadBytes"
     from engine.step s
     left join engine.step l on s.list_turn is not null
       and l.run_id = s.run_id and l.action_id = s.action_id and l.iteration = ${LIST_ITERATION}
     where s.run_id = $1 and s.tenant_id = $2 and (s.status = 'success' or s.list_turn is not null)
     order by s.id`,
    [runId, tenantId],
  );
  return rows;
}

type Further = {
  readonly tenantId: string;
  /** The runs to be looked at, the latest first. */
  readonly chain: readonly Link[];
  /** What the run that tries the first of them again took over as a whole. */
  readonly kept: ReadonlySet<string>;
  /** Actions with `for_each` that it did not open, or not yet. */
  readonly lists: readonly string[];
};

/**
 * Items of the lists, each from the last run that opened it: that took over itself what it could. A list at or behind the
 * action a run was begun from offers nothing of before that run. Of older runs that action is not known; it is at or before a
 * list where something that had succeeded was not taken over.
 */
async function earlierItems(
  tx: SqlClient,
  compiled: CompiledDefinition,
  { tenantId, chain, kept, lists }: Further,
): Promise<EarlierStep[]> {
  const ancestry = ancestryOf(compiled);
  const items: EarlierStep[] = [];
  let taken = kept;
  let open = lists;
  for (const { id: runId, from } of chain) {
    if (open.length === 0) break;
    const steps = await earlierSteps(tx, { tenantId, runId });
    const again = new Set(steps.flatMap((step) => (isDone(step) && !taken.has(step.action_id) ? step.action_id : [])));
    const offering = open.filter((id) => ![id, ...(ancestry.get(id) ?? [])].some((each) => again.has(each)));
    const found = steps.filter(({ action_id, list_turn }) => list_turn !== null && offering.includes(action_id));
    items.push(...found);
    const repeats = repeatedBy(compiled, from);
    open = offering.filter((id) => !repeats(id) && !found.some(({ action_id }) => action_id === id));
    taken = reusedIn(steps);
  }
  return items;
}

/** Whether an action is repeated whatever it came to: at or behind the one a run is begun from. */
function repeatedBy(compiled: CompiledDefinition, from: string | null | undefined): (id: string) => boolean {
  const ancestry = ancestryOf(compiled);
  return (id) => from != null && (id === from || ancestry.get(id)?.has(from) === true);
}

function reusedIn(steps: Iterable<StepRow>): ReadonlySet<string> {
  return new Set([...steps].flatMap((step) => (step.reused && step.list_turn === null ? step.action_id : [])));
}

/** Both would make the effects that are still to be made: they need not try the same run again, only go back to the same. */
async function refuseTwoAtOnce(
  tx: SqlClient,
  { tenantId, reuse: { runId } }: RetryRunInput,
  chain: readonly Link[],
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `with recursive up as (
       select r.id, r.retry_of, 0 as link from engine.run r
       where r.tenant_id = $1 and r.finished_at is null and r.retry_of is not null
       union all
       select u.id, r.retry_of, u.link + 1 from up u join engine.run r on r.tenant_id = $1 and r.id = u.retry_of
       where u.retry_of <> all($2::uuid[]) and u.link < ${MAX_LINKS})
     select id from up where retry_of = any($2::uuid[]) limit 1`,
    [tenantId, chain.map(({ id }) => id)],
  );
  const [other] = rows;
  if (other === undefined) return;
  const message = `Run "${other.id}" already tries this one again and has not ended.`;
  throw new EngineError('RUN_BEING_RETRIED', message, { runId, retryId: other.id });
}

function inputOf(run: RunRow & { body: Definition; traits: TraitsByName }): StartRunInput {
  return {
    tenantId: run.tenant_id,
    kind: run.kind,
    name: run.name,
    definition: run.body,
    traits: run.traits,
    inputs: run.inputs,
    trigger: run.trigger,
    subject: run.subject,
    priority: run.priority,
    // What a dry run found out is no ground to act on.
    dryRun: run.dry_run,
  };
}

function ownPart({ trigger, startedWith, dedupKey, runId }: RetryRunInput): Partial<StartRunInput> {
  return {
    ...(trigger === undefined ? {} : { trigger }),
    ...(startedWith === undefined ? {} : { startedWith }),
    ...(dedupKey === undefined ? {} : { dedupKey }),
    ...(runId === undefined ? {} : { runId }),
  };
}

/** Puts what the earlier run did well into a run that has not begun, as settled. */
export function takeOver(
  model: RunModel,
  { steps }: EarlierRun,
  from: string | undefined,
  deps: { readonly ids: () => string },
): void {
  const repeats = repeatedBy(model.compiled, from);
  const done = steps.filter(({ action_id }) => !repeats(action_id));
  const asked = questionsAgain({ compiled: model.compiled, kept: done, repeats });
  const kept = done.filter(({ action_id }) => !asked.has(action_id));
  for (const step of kept.filter(({ list_turn }) => list_turn === null)) {
    model.steps.set(step.action_id, takenOver(model, step, deps));
    if (step.unreadBytes != null) model.unreadOutputs.add(step.action_id);
  }
  for (const item of kept.filter(({ list_turn }) => list_turn !== null)) {
    const id = item.action_id;
    // A list that went on in spite of failures is kept with them.
    if (model.steps.get(id)?.iteration === LIST_ITERATION) takenOver(model, item, deps);
    else if (item.status === 'success') offer(model, item);
  }
  model.unreadItems.clear();
}

/** Offers what lists may take over that open once their run is stored. */
export async function readItems(tx: SqlClient, model: RunModel, actionIds: readonly string[]): Promise<void> {
  const { tenant_id: tenantId, retry_of: runId, retry_from: retryFrom } = model.row;
  for (const id of actionIds) model.unreadItems.delete(id);
  if (runId === null) return;
  const chain = await chainOf(tx, { tenantId, runId });
  const kept = reusedIn(model.steps.values());
  const repeats = repeatedBy(model.compiled, retryFrom);
  const lists = actionIds.filter((id) => !repeats(id));
  for (const item of await earlierItems(tx, model.compiled, { tenantId, chain, kept, lists }))
    if (item.status === 'success') offer(model, item);
}

/** A list is done when all of it is. */
function isDone({ status, list_turn }: StepRow): boolean {
  return status === 'success' && list_turn === null;
}

type Behind = {
  compiled: CompiledDefinition;
  kept: readonly StepRow[];
  repeats: (id: string) => boolean;
};

function questionsAgain({ compiled, kept, repeats }: Behind): Set<string> {
  const { nodes } = compiled;
  const ancestry = ancestryOf(compiled);
  const before = (ids: readonly string[]) => new Set(ids.flatMap((id) => [...(ancestry.get(id) ?? [])]));
  const done = new Set(kept.filter(isDone).map(({ action_id }) => action_id));
  const toDo = nodes.filter((node) => !done.has(node.id) && mayDestroy(node)).map(({ id }) => id);
  // Behind a question that is asked again a list would do all its items again.
  const halfDone = kept.filter(({ action_id, list_turn }) => list_turn !== null && !done.has(action_id));
  const held = before(halfDone.filter(({ status }) => status === 'success').map(({ action_id }) => action_id));
  const [asked, surely] = [before(toDo), before(toDo.filter(repeats))];
  const isAsked = (id: string) => asked.has(id) && (!held.has(id) || surely.has(id));
  return new Set(nodes.filter(({ id, kind }) => kind === 'prompt' && isAsked(id)).map(({ id }) => id));

  /** A started playbook may do whatever it does. */
  function mayDestroy(node: CompiledDefinition['nodes'][number]): boolean {
    return (
      node.kind === 'playbook' || (node.kind === 'action' && traitsOf(compiled, node.action).effect === 'destroys')
    );
  }
}

function takenOver(
  model: RunModel,
  { unreadBytes: _, ...step }: EarlierStep,
  deps: { readonly ids: () => string },
): StepRow {
  const copy = { ...step, id: deps.ids(), run_id: model.row.id, created_at: model.row.created_at, reused: true };
  model.changes.newSteps.add(copy);
  return copy;
}

/** An item that succeeded in a list that did not: taken over when the new list has the same item in its place. */
function offer(model: RunModel, item: EarlierStep): void {
  const offered = model.reusableItems.get(item.action_id) ?? new Map<number, StepRow>();
  model.reusableItems.set(item.action_id, offered.set(item.iteration, item));
}
