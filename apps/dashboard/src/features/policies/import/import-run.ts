import { ApiError } from '@airdeck/api-client/api-error';
import { confirmed } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { t } from '../../../language/translate.ts';
import type { TenantApi } from '../../../lib/tenant-api.ts';
import { importPortion } from '../../../queries/policies.ts';
import { type ImportPlan, type Outcome, outcomesOf, refusedPortion } from './outcomes.ts';

export type ImportChoices = { license: string; replace: boolean };

/** An import on its way: what is sent, how far it is, and what came of it so far. */
export type Going = {
  readonly plan: ImportPlan;
  readonly dryRun: boolean;
  /** The portion that is sent next. */
  readonly next: number;
  /** Rules in the portions before it. */
  readonly done: number;
  readonly outcomes: readonly Outcome[];
  /** Rules that can be imported: of a check so far, of an import as its check said. */
  readonly expected: number;
};

type Run = {
  from: Going;
  choices: ImportChoices;
  /** Names what a person means: sent again after a failure, a portion that is stored is not stored twice. */
  intent: string;
  signal: AbortSignal;
  /** Asked before each portion. What is on its way is waited for, or nobody would know what came of it. */
  isStopped: () => boolean;
  onProgress: (going: Going) => void;
};

/** Of an import, `check` is what it was checked by. */
export function startOf(plan: ImportPlan, check?: Going): Going {
  const dryRun = check === undefined;
  return { plan, dryRun, next: 0, done: 0, outcomes: plan.refused, expected: check?.expected ?? 0 };
}

export function importedIn(going: Going | undefined): number {
  return going?.outcomes.filter(({ kind }) => kind === 'imported').length ?? 0;
}

export function isThrough({ plan, next }: Going): boolean {
  return next >= plan.portions.length;
}

/** Sends the portions that are left, one after the other; what was stored before a failure or a stop stays stored. */
export async function runImport(tenantApi: TenantApi, run: Run): Promise<void> {
  const { from, choices, intent, signal, isStopped, onProgress } = run;
  const license = choices.license.trim();
  let going = from;
  for (const [index, portion] of from.plan.portions.entries()) {
    if (index < from.next) continue;
    if (isStopped()) return;
    const body = {
      // The end of a path tells more than its beginning.
      files: portion.map(({ name, text }) => ({ name: name.slice(-500), text })),
      dry_run: from.dryRun,
      replace: choices.replace,
      ...(license === '' ? {} : { license }),
    };
    const outcomes = await confirmed((controls) =>
      importPortion(tenantApi, body, { ...controls, signal, idempotencyKey: `${intent}-${index}` }),
    ).then(
      ({ rules }) => outcomesOf(from.plan, portion, rules),
      (error: unknown) => refusedPortion(from.plan, portion, reasonOfFiles(error)),
    );
    const next = {
      ...going,
      next: index + 1,
      done: portion.reduce((sum, { documents }) => sum + documents, going.done),
      outcomes: [...going.outcomes, ...(from.dryRun && !choices.replace ? knownBefore(going, outcomes) : outcomes)],
    };
    going = from.dryRun ? { ...next, expected: importedIn(next) } : next;
    onProgress(going);
  }
}

/** A check stores nothing: of rules whose portion comes later, the server cannot know that one with their id came before. */
function knownBefore({ outcomes: before }: Going, outcomes: readonly Outcome[]): Outcome[] {
  const ids = new Set(before.flatMap(({ kind, id }) => (kind === 'imported' && id !== '' ? [id.toLowerCase()] : [])));
  return outcomes.map((outcome) =>
    outcome.kind === 'imported' && ids.has(outcome.id.toLowerCase())
      ? { ...outcome, kind: 'there', reason: t('Another rule of this import has the same id') }
      : outcome,
  );
}

/** Why these files are refused for good, so that the others need not wait for them. Anything else is thrown on. */
function reasonOfFiles(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  const [first, ...more] = error.details;
  const isOfFiles = (detail: typeof first) => detail?.path.startsWith('body.files') === true;
  if (error.code !== 'VALIDATION_FAILED' || !isOfFiles(first) || !more.every(isOfFiles)) throw error;
  return first?.message ?? error.message;
}
