import type { SigmaImported } from '@airdeck/contracts/policies/import-schema';
import {
  SIGMA_DOCUMENTS_MAX,
  type SigmaFile,
  type SigmaPiece,
  sigmaPieceLimits,
} from '@airdeck/domain/sigma-documents';
import { portionSteps } from '@airdeck/domain/sigma-portions';
import { pageLanguage, t } from '../../../language/translate.ts';
import { inTurns } from './in-turns.ts';
import type { LeftOut } from './read-files.ts';

/** `there`: a policy has this rule already. `skipped`: it is sound, and asks for what is not run here. */
export const outcomeKinds = ['imported', 'there', 'skipped', 'failed'] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** What became of one rule, or of a file without any. */
export type Outcome = {
  readonly kind: OutcomeKind;
  readonly file: string;
  /** Number of the rule in its file, where that has several. */
  readonly document: number | undefined;
  readonly id: string;
  readonly title: string;
  readonly reason: string | undefined;
  readonly policyId: string | null;
};

/** What is to be sent, portion by portion, and what cannot be. */
export type ImportPlan = {
  readonly portions: readonly (readonly SigmaPiece[])[];
  /** Rules in all portions. */
  readonly count: number;
  readonly refused: readonly Outcome[];
  /** Names of files with several rules. */
  readonly long: ReadonlySet<string>;
};

type Chosen = { files: readonly SigmaFile[]; leftOut: readonly LeftOut[] };

/** The same files make the same plan: sent again, its portions are those of before. */
export async function planImport({ files, leftOut }: Chosen, signal: AbortSignal): Promise<ImportPlan> {
  const pieces = await inTurns(portionSteps(files), signal);
  const long = new Set(pieces.flat().flatMap(({ name, from, documents }) => (from + documents > 2 ? [name] : [])));
  const portions = pieces
    .map((portion) => portion.filter(({ problem }) => problem === undefined))
    .filter((portion) => portion.length > 0);
  return {
    portions,
    count: portions.flat().reduce((sum, { documents }) => sum + documents, 0),
    long,
    refused: [
      ...leftOut.map(({ name, reason }) => refusedOf(name, reason, undefined)),
      ...pieces.flat().flatMap(({ name, from, problem }) => {
        if (problem === undefined) return [];
        return [refusedOf(name, problemWords(problem), long.has(name) ? from : undefined)];
      }),
    ],
  };
}

/** The answer to a portion, which has its rules in order. */
export function outcomesOf(
  { long }: Pick<ImportPlan, 'long'>,
  portion: readonly SigmaPiece[],
  rules: SigmaImported['rules'],
): Outcome[] {
  const numbers = rulesOf(portion).map(({ name, number }) => (long.has(name) ? number : undefined));
  return rules.map(({ file, id, title, status, reason, policy_id: policyId }, at) => ({
    ...{ file, id, title, reason, policyId },
    kind: status === 'skipped' && policyId !== null ? 'there' : status,
    // A server of another release may count otherwise: no number is better than a wrong one.
    document: rules.length === numbers.length ? numbers[at] : undefined,
  }));
}

/** Of a portion the server takes no rule of, now or later. */
export function refusedPortion({ long }: Pick<ImportPlan, 'long'>, portion: readonly SigmaPiece[], reason: string) {
  return rulesOf(portion).map(({ name, number }) => refusedOf(name, reason, long.has(name) ? number : undefined));
}

/** The file of each rule, and its number there. */
function rulesOf(portion: readonly SigmaPiece[]): { name: string; number: number }[] {
  return portion.flatMap(({ name, from, documents }) =>
    Array.from({ length: documents }, (_, at) => ({ name, number: from + at })),
  );
}

function refusedOf(file: string, reason: string, document: number | undefined): Outcome {
  return { ...{ file, reason, document }, kind: 'failed', id: '', title: '', policyId: null };
}

function problemWords(problem: NonNullable<SigmaPiece['problem']>): string {
  const count = (number: number) => new Intl.NumberFormat(pageLanguage()).format(number);
  if (problem === 'too_many_documents')
    return t('More than {count} rules in one file', { count: count(SIGMA_DOCUMENTS_MAX) });
  return t('Longer than {count} characters', { count: count(sigmaPieceLimits.chars) });
}
