import { compileDefinition, definitionHash } from './definition.ts';
import { EngineError } from './errors.ts';
import type { StartRunInput } from './interfaces.ts';
import { storableText, toJsonValue } from './json-value.ts';
import type { RunRow } from './rows.ts';
import { createRunModel, type RunModel, runFacts } from './run-model.ts';
import { MAX_PRIORITY } from './run-save.ts';

export type NewRunDeps = { readonly ids: () => string; readonly maxInputBytes: number };

/** Where a run stands among others. */
export type RunOrigin = Pick<
  RunRow,
  'parent_run_id' | 'parent_step_id' | 'root_run_id' | 'depth' | 'retry_of' | 'retry_from' | 'trace'
> & {
  /** Latest end its parent gives it. */
  readonly latestEnd: Date | null;
};

export const noOrigin: RunOrigin = {
  parent_run_id: null,
  parent_step_id: null,
  root_run_id: null,
  depth: 0,
  retry_of: null,
  retry_from: null,
  trace: null,
  latestEnd: null,
};

/** A run that is not stored yet and has no steps. Throws INPUT_TOO_LARGE. */
export function newRunModel(input: StartRunInput, origin: RunOrigin, deps: NewRunDeps, now: Date): RunModel {
  const row = runRow(input, origin, deps, now);
  const model = createRunModel(row, compileDefinition(input.definition, input.traits), []);
  model.changes.created = { dedupKey: input.dedupKey ?? null };
  model.changes.events.push({ ...runFacts(model), type: 'run.created', at: now });
  return model;
}

function runRow(input: StartRunInput, { latestEnd, ...origin }: RunOrigin, deps: NewRunDeps, now: Date): RunRow {
  const startAt = input.runAt && input.runAt > now ? input.runAt : now;
  return {
    id: input.runId ?? deps.ids(),
    tenant_id: input.tenantId,
    kind: storableText(input.kind),
    name: storableText(input.name),
    definition_hash: definitionHash(input.definition, input.traits),
    status: 'pending',
    inputs: stored(input.inputs ?? {}, 'inputs', deps),
    outputs: null,
    error: null,
    trigger: stored(input.trigger ?? null, 'trigger', deps),
    subject: input.subject ?? null,
    priority: Math.max(-MAX_PRIORITY, Math.min(MAX_PRIORITY, Math.trunc(input.priority ?? 0))),
    dry_run: input.dryRun ?? false,
    ...origin,
    started_with: input.startedWith ?? null,
    cancel_requested_at: null,
    cancel_requested_by: null,
    deadline_at: earlier(latestEnd, secondsAfter(startAt, input.definition.exec_options?.timeout_s)),
    created_at: now,
    updated_at: now,
    started_at: null,
    finished_at: null,
  };
}

function secondsAfter(at: Date, seconds: number | undefined): Date | null {
  return seconds === undefined ? null : new Date(at.getTime() + seconds * 1000);
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function stored(value: unknown, what: string, deps: NewRunDeps): unknown {
  const check = toJsonValue(value, deps.maxInputBytes);
  if (!check.ok) throw new EngineError('INPUT_TOO_LARGE', `The ${what} cannot be stored: ${check.message}.`, { what });
  return check.value;
}
