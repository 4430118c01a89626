import { compileDefinition, definitionHash } from './definition.ts';
import { validateDefinition } from './definition-validation.ts';
import { EngineError, type Failure } from './errors.ts';
import type { OnEvents, SqlClient, StartedRun, StartRunInput } from './interfaces.ts';
import { storableText, toJsonValue } from './json-value.ts';
import type { RunRow } from './rows.ts';
import { advance } from './run-machine.ts';
import { createRunModel, type MachineDeps, type RunModel, runFacts, runJobKinds } from './run-model.ts';
import { noJobOutcomes, saveRuns } from './run-save.ts';
import { addJob } from './step-changes.ts';

const MAX_PRIORITY = 100;
const MAX_VALID_HASHES = 1_000;

export type StartDeps = MachineDeps & {
  readonly now: () => Date;
  readonly onEvents: OnEvents;
  readonly validHashes: Set<string>;
};

/** Creates a run and its first steps in the caller's transaction, so that an acknowledged start is a durable one. */
export async function startRun(tx: SqlClient, input: StartRunInput, deps: StartDeps): Promise<StartedRun> {
  requireValid(input, deps);
  const now = deps.now();
  const row = runRow(input, deps, now);
  const earlier = input.dedupKey === undefined ? null : await findRunOfKey(tx, input.tenantId, input.dedupKey);
  if (earlier) return { runId: earlier, created: false };
  const model = createRunModel(row, compileDefinition(input.definition, input.traits), []);
  model.changes.created = { dedupKey: input.dedupKey ?? null };
  model.changes.events.push({ ...runFacts(model), type: 'run.created', at: now });
  begin(model, input.runAt, deps, now);
  await saveRuns(tx, [model], noJobOutcomes, now);
  await deps.onEvents(tx, model.changes.events);
  return { runId: row.id, created: true };
}

/** Definitions are validated when they are saved; this keeps a bad one out however it got here. Once per content. */
function requireValid({ definition, traits }: StartRunInput, deps: StartDeps): void {
  const hash = definitionHash(definition, traits);
  if (deps.validHashes.has(hash)) return;
  const nodes = Array.isArray(definition?.actions) ? definition.actions : [];
  const extraFields = [...new Set(nodes.flatMap((node) => Object.keys(node ?? {})))];
  const checkExpression = (text: string) => deps.evaluator.check(text);
  const problems = validateDefinition(definition, { checkExpression, extraFields });
  if (problems.length > 0) throw new EngineError('DEFINITION_INVALID', 'The definition has problems.', { problems });
  if (deps.validHashes.size >= MAX_VALID_HASHES) deps.validHashes.clear();
  deps.validHashes.add(hash);
}

function begin(model: RunModel, runAt: Date | undefined, deps: StartDeps, now: Date): void {
  const { deadline_at } = model.row;
  if (deadline_at)
    addJob(model, { id: deps.ids(), kind: runJobKinds.deadline, stepId: null, availableAt: deadline_at });
  if (runAt && runAt > now && isSingleCall(model)) {
    // Seen and cancelled like every other step while it waits for its time.
    advance(model, deps, now);
    putOff(model, runAt);
  } else if (runAt && runAt > now)
    addJob(model, { id: deps.ids(), kind: runJobKinds.start, stepId: null, availableAt: runAt });
  else advance(model, deps, now);
}

function isSingleCall({ compiled: { nodes } }: RunModel): boolean {
  return nodes.length === 1 && nodes[0]?.kind === 'action';
}

function putOff(model: RunModel, until: Date): void {
  const waiting = [...model.steps.values()].filter(({ status }) => status === 'pending');
  const ids = new Set<string | null>(waiting.map(({ id }) => id));
  for (const step of waiting) step.available_at = until;
  const { newJobs } = model.changes;
  newJobs.push(...newJobs.splice(0).map((job) => (ids.has(job.stepId) ? { ...job, availableAt: until } : job)));
}

function runRow(input: StartRunInput, deps: StartDeps, now: Date): RunRow {
  const startAt = input.runAt && input.runAt > now ? input.runAt : now;
  const timeoutS = input.definition.exec_options?.timeout_s;
  return {
    id: input.runId ?? deps.ids(),
    tenant_id: input.tenantId,
    kind: storableText(input.kind),
    name: storableText(input.name),
    definition_hash: definitionHash(input.definition, input.traits),
    status: 'pending',
    inputs: stored(input.inputs ?? {}, 'inputs', deps),
    outputs: null,
    error: null as Failure | null,
    trigger: stored(input.trigger ?? null, 'trigger', deps),
    subject: input.subject ?? null,
    priority: Math.max(-MAX_PRIORITY, Math.min(MAX_PRIORITY, Math.trunc(input.priority ?? 0))),
    dry_run: input.dryRun ?? false,
    cancel_requested_at: null,
    cancel_requested_by: null,
    deadline_at: timeoutS === undefined ? null : new Date(startAt.getTime() + timeoutS * 1000),
    created_at: now,
    updated_at: now,
    started_at: null,
    finished_at: null,
  };
}

function stored(value: unknown, what: string, deps: StartDeps): unknown {
  const check = toJsonValue(value, deps.maxInputBytes);
  if (!check.ok) throw new EngineError('INPUT_TOO_LARGE', `The ${what} cannot be stored: ${check.message}.`, { what });
  return check.value;
}

/** Starts with the same key wait for each other here, so that the later one sees what the earlier one committed. */
async function findRunOfKey(tx: SqlClient, tenantId: string, dedupKey: string): Promise<string | null> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`engine.run/${tenantId}/${dedupKey}`]);
  const { rows } = await tx.query<{ id: string }>('select id from engine.run where tenant_id = $1 and dedup_key = $2', [
    tenantId,
    dedupKey,
  ]);
  return rows[0]?.id ?? null;
}
