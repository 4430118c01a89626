import { type Definition, LIST_ITERATION } from './definition.ts';
import type { Prompt, Run, RunOutline, SqlClient, Step, StepOutline } from './interfaces.ts';
import {
  itemCounts,
  type PromptRow,
  promptColumns,
  promptFromRow,
  type RunOutlineRow,
  type RunRow,
  runColumns,
  runFromRow,
  runOutlineColumns,
  runOutlineFromRow,
  type StepOutlineRow,
  type StepRow,
  stepColumns,
  stepFromRow,
  stepOutlineColumns,
  stepOutlineFromRow,
} from './rows.ts';
import { isRunStatusFinal, isStepSettled, type RunStatus, type StepStatus } from './statuses.ts';

/** Newest first. Page by `offset`, or by `before` = id of the last row of the page before (stable while rows are added). */
export type Page = { readonly limit: number; readonly offset?: number; readonly before?: string };

export type RunFilter = Page & {
  readonly tenantId: string;
  readonly statuses?: readonly RunStatus[];
  readonly kinds?: readonly string[];
  readonly name?: string;
  readonly subject?: string;
  /** Part of the name, in any case. */
  readonly search?: string;
};

export type StepFilter = Page & {
  readonly tenantId: string;
  readonly statuses?: readonly StepStatus[];
  readonly stepKinds?: readonly Step['kind'][];
  /** Of the run the step belongs to. */
  readonly runKinds?: readonly string[];
  readonly names?: readonly string[];
  /** Part of the step's name, in any case. */
  readonly search?: string;
  /** Names that `search` finds as well, such as those of steps that people call otherwise. */
  readonly searchNames?: readonly string[];
};

/** A step with what a list of steps across runs shows of its run. */
export type ListedStep = Step & {
  readonly runKind: string;
  readonly runName: string;
  readonly trigger: unknown;
  readonly dryRun: boolean;
};
type ListedStepRow = StepRow & { run_kind: string; run_name: string; trigger: unknown; dry_run: boolean };

export async function findRun(db: SqlClient, which: { tenantId: string; runId: string }): Promise<Run | undefined> {
  const { rows } = await db.query<RunRow>(
    `select ${runColumns('r')} from engine.run r where r.tenant_id = $1 and r.id = $2`,
    [which.tenantId, which.runId],
  );
  return rows[0] && runFromRow(rows[0]);
}

/** The run that a start with this key made. */
export async function findRunByKey(
  db: SqlClient,
  which: { tenantId: string; dedupKey: string },
): Promise<Run | undefined> {
  const { rows } = await db.query<RunRow>(
    `select ${runColumns('r')} from engine.run r where r.tenant_id = $1 and r.dedup_key = $2`,
    [which.tenantId, which.dedupKey],
  );
  return rows[0] && runFromRow(rows[0]);
}

/** The definition the run started with. */
export async function findRunDefinition(
  db: SqlClient,
  which: { tenantId: string; runId: string },
): Promise<Definition | undefined> {
  const { rows } = await db.query<{ body: Definition }>(
    `select d.body from engine.run r join engine.definition d on d.tenant_id = r.tenant_id and d.hash = r.definition_hash
     where r.tenant_id = $1 and r.id = $2`,
    [which.tenantId, which.runId],
  );
  return rows[0]?.body;
}

export async function listRuns(db: SqlClient, filter: RunFilter): Promise<RunOutline[]> {
  const { text, values } = listRunsQuery(filter);
  const { rows } = await db.query<RunOutlineRow>(text, values);
  return rows.map(runOutlineFromRow);
}

/**
 * Only conditions that are asked for are in the text. Runs that have not ended are few and have an index of their own, which
 * serves a filter by their statuses only where it says so.
 */
export function listRunsQuery(filter: RunFilter): { text: string; values: unknown[] } {
  const values: unknown[] = [filter.tenantId, filter.limit, filter.offset ?? 0];
  const conditions = ['r.tenant_id = $1'];
  const add = (condition: (place: string) => string, value: unknown) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add((place) => `r.status = any(${place}::text[])`, filter.statuses);
  if (areOpen(filter.statuses)) conditions.push('r.finished_at is null');
  add((place) => `r.kind = any(${place}::text[])`, filter.kinds);
  add((place) => `r.name = ${place}`, filter.name);
  add((place) => `r.subject = ${place}`, filter.subject);
  add((place) => `r.id < ${place}::uuid`, filter.before);
  add((place) => `strpos(lower(r.name), lower(${place})) > 0`, filter.search);
  const text = `select ${runOutlineColumns('r')} from engine.run r
     where ${conditions.join(' and ')} order by r.id desc limit $2 offset $3`;
  return { text, values };
}

/** Whether a filter lets nothing through that has ended. */
export function areOpen(statuses: readonly RunStatus[] | undefined): boolean {
  return statuses?.every((status) => !isRunStatusFinal(status)) === true;
}

/**
 * One step for each action of a run that has been reached, in the order they came up; the others have none. A list is one
 * step here, with counts of its items; `listItems` gives those.
 */
export async function listRunSteps(db: SqlClient, which: { tenantId: string; runId: string }): Promise<Step[]> {
  const { rows } = await db.query<StepRow>(
    `select ${stepColumns('s')}, ${itemCounts('s')} from engine.step s
     where s.tenant_id = $1 and s.run_id = $2 and s.list_turn is null order by s.id`,
    [which.tenantId, which.runId],
  );
  return rows.map(stepFromRow);
}

/** Items of an action with `for_each`, in the order of the list. */
export async function listItems(
  db: SqlClient,
  which: { tenantId: string; runId: string; actionId: string; limit: number; offset?: number },
): Promise<Step[]> {
  const { rows } = await db.query<StepRow>(
    `select ${stepColumns('s')} from engine.step s
     where s.tenant_id = $1 and s.run_id = $2 and s.action_id = $3 and s.list_turn is not null
     order by s.iteration limit $4 offset $5`,
    [which.tenantId, which.runId, which.actionId, which.limit, which.offset ?? 0],
  );
  return rows.map(stepFromRow);
}

/** How each item of such an action stands, in the order of the list. */
export async function listItemStatuses(
  db: SqlClient,
  which: { tenantId: string; runId: string; actionId: string },
): Promise<Pick<Step, 'iteration' | 'status'>[]> {
  const { rows } = await db.query<Pick<Step, 'iteration' | 'status'>>(
    `select s.iteration, s.status from engine.step s
     where s.tenant_id = $1 and s.run_id = $2 and s.action_id = $3 and s.list_turn is not null order by s.iteration`,
    [which.tenantId, which.runId, which.actionId],
  );
  return rows;
}

/** One step for each reached action of several runs, in the order they came up; lists as in `listRunSteps`. */
export async function listStepsOfRuns(
  db: SqlClient,
  which: { tenantId: string; runIds: readonly string[] },
): Promise<StepOutline[]> {
  if (which.runIds.length === 0) return [];
  const { rows } = await db.query<StepOutlineRow>(
    `select ${stepOutlineColumns('s')}, ${itemCounts('s')} from engine.step s
     where s.tenant_id = $1 and s.run_id = any($2::uuid[]) and s.list_turn is null order by s.id`,
    [which.tenantId, which.runIds],
  );
  return rows.map(stepOutlineFromRow);
}

/**
 * Steps of all runs of a tenant: the items of a list each for itself, without the one that stands for the list. What a
 * run took over from the one it tries again is left out: it is listed where it was done.
 */
export async function listSteps(db: SqlClient, filter: StepFilter): Promise<ListedStep[]> {
  const { text, values } = listStepsQuery(filter);
  const { rows } = await db.query<ListedStepRow>(text, values);
  return rows.map((row) => ({
    ...stepFromRow(row),
    runKind: row.run_kind,
    runName: row.run_name,
    trigger: row.trigger,
    dryRun: row.dry_run,
  }));
}

/**
 * The page first, from an index in its order, and only then the runs of its rows: whatever the statistics say, no page reads
 * the runs of all steps. Only conditions that are asked for are in the text, and one value is an equality, which an index in
 * the order of the list can serve.
 */
export function listStepsQuery(filter: StepFilter): { text: string; values: unknown[] } {
  const values: unknown[] = [filter.tenantId, filter.limit, filter.offset ?? 0];
  const conditions = ['s.tenant_id = $1', `s.iteration > ${LIST_ITERATION}`, 'not s.reused'];
  const oneOf = (column: string, wanted: readonly string[] | undefined) => {
    if (wanted === undefined) return;
    values.push(wanted.length === 1 ? wanted[0] : wanted);
    conditions.push(
      `${column} = ${wanted.length === 1 ? '' : 'any'}($${values.length}${wanted.length === 1 ? '' : '::text[]'})`,
    );
  };
  oneOf('s.status', filter.statuses);
  // A run that has ended has none of these: otherwise all steps ever made would be looked through for the few.
  if (filter.statuses?.every((status) => !isStepSettled(status)) === true) {
    conditions.push(
      's.run_id = any(array(select r.id from engine.run r where r.tenant_id = $1 and r.finished_at is null))',
    );
  }
  oneOf('s.kind', filter.stepKinds);
  oneOf('s.run_kind', filter.runKinds);
  oneOf('s.name', filter.names);
  if (filter.before !== undefined) conditions.push(`s.id < $${values.push(filter.before)}::uuid`);
  if (filter.search !== undefined) {
    const found = [`strpos(lower(s.name), lower($${values.push(filter.search)})) > 0`];
    const called = filter.searchNames ?? [];
    if (called.length > 0) found.unshift(`s.name = any($${values.push(called)}::text[])`);
    conditions.push(`(${found.join(' or ')})`);
  }
  const text = `select ${stepColumns('s')}, r.kind as run_kind, r.name as run_name, r.trigger, r.dry_run
     from (select s.* from engine.step s where ${conditions.join(' and ')} order by s.id desc limit $2 offset $3) s
     join engine.run r on r.id = s.run_id
     order by s.id desc`;
  return { text, values };
}

export async function findStep(db: SqlClient, which: { tenantId: string; stepId: string }): Promise<Step | undefined> {
  const { rows } = await db.query<StepRow>(
    `select ${stepColumns('s')} from engine.step s where s.tenant_id = $1 and s.id = $2`,
    [which.tenantId, which.stepId],
  );
  return rows[0] && stepFromRow(rows[0]);
}

export async function findPrompt(
  db: SqlClient,
  which: { tenantId: string; promptId: string },
): Promise<Prompt | undefined> {
  const { rows } = await db.query<PromptRow>(
    `select ${promptColumns('p')} from engine.prompt p where p.tenant_id = $1 and p.id = $2`,
    [which.tenantId, which.promptId],
  );
  return rows[0] && promptFromRow(rows[0]);
}

export async function listRunPrompts(db: SqlClient, which: { tenantId: string; runId: string }): Promise<Prompt[]> {
  const { rows } = await db.query<PromptRow>(
    `select ${promptColumns('p')} from engine.prompt p where p.tenant_id = $1 and p.run_id = $2 order by p.id`,
    [which.tenantId, which.runId],
  );
  return rows.map(promptFromRow);
}

/** Prompts that wait for an answer, newest first. */
export async function listOpenPrompts(db: SqlClient, which: Page & { tenantId: string }): Promise<Prompt[]> {
  const { rows } = await db.query<PromptRow>(
    `select ${promptColumns('p')} from engine.prompt p
     where p.tenant_id = $1 and p.closed_at is null and ($2::uuid is null or p.id < $2)
     order by p.id desc limit $3 offset $4`,
    [which.tenantId, which.before ?? null, which.limit, which.offset ?? 0],
  );
  return rows.map(promptFromRow);
}

/** Runs that are open although nothing will ever move them. Always empty; watched by health checks and chaos tests. */
export async function listStalledRuns(db: SqlClient, limit: number): Promise<{ runId: string; tenantId: string }[]> {
  const { rows } = await db.query<{ run_id: string; tenant_id: string }>(
    `select r.id as run_id, r.tenant_id from engine.run r
     where r.finished_at is null
       and not exists (select 1 from engine.job j where j.run_id = r.id and j.state <> 'dead')
       and not exists (select 1 from engine.prompt p where p.run_id = r.id and p.closed_at is null)
       and not exists (select 1 from engine.run c where c.parent_run_id = r.id and c.finished_at is null)
     limit $1`,
    [limit],
  );
  return rows.map((row) => ({ runId: row.run_id, tenantId: row.tenant_id }));
}
