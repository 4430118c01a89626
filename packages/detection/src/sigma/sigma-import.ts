import { sigmaImportLimits } from '@airdeck/contracts/policies/import-schema';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import type { SigmaFile } from '@airdeck/domain/sigma-documents';
import { countedBy, isCorrelation, namedBy, othersByName, policyOfCorrelation } from './sigma-correlation.ts';
import { failed, SigmaProblem, skipped } from './sigma-problem.ts';
import { idOf, policyOfRule, type RuleOptions, textOf } from './sigma-rule.ts';
import { type PlainRecord, readRule, splitDocuments } from './sigma-yaml.ts';

export type SigmaOptions = RuleOptions;

/**
 * What became of one document. `imported` has the policy; `skipped` is a sound rule that asks for something that is not
 * run here; `failed` is a rule that is wrong. The reason is a sentence for people.
 */
export type SigmaOutcome = {
  readonly file: string;
  /** As the rule says, or empty. */
  readonly id: string;
  readonly title: string;
} & (
  | {
      readonly status: 'imported';
      readonly policy: PolicyRule;
      /** Letter by letter; of a correlation behind the rules it names, so that it can be imported by itself. */
      readonly text: string;
    }
  | { readonly status: 'skipped' | 'failed'; readonly reason: string }
);

type Document = {
  readonly file: string;
  readonly text: string;
  readonly rule?: PlainRecord;
  readonly problem?: SigmaProblem;
};

/** Of all texts that come with correlations of one import: a thousand may name one long rule. */
const NAMED_TEXTS_CHARS = 4_000_000;
const SEPARATOR = '\n---\n';

/**
 * Turns Sigma rules into policies, rule by rule: one that cannot be taken says why and keeps nothing else from being taken.
 * Pure; blocks for about a millisecond per rule. Of two rules with one id the first is taken.
 */
export function importSigma(files: readonly SigmaFile[], options: SigmaOptions = {}): SigmaOutcome[] {
  const documents = files.flatMap(readDocuments);
  const rules = documents.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  const others = othersByName(rules);
  const counted = new Set(rules.filter(isCorrelation).flatMap((rule) => countedBy(rule, others)));
  const fileById = new Map<string, string>();
  const places = new Map(documents.map(({ rule }, at) => [rule, at]));
  let charsLeft = NAMED_TEXTS_CHARS;

  /** In the order of the import, in which the first rule of a name is the one that is meant. */
  function textToKeep(rule: PlainRecord, text: string): string {
    const named = new Set(namedBy(rule, others).map((other) => places.get(other) ?? 0));
    const texts = [...named].toSorted((a, b) => a - b).map((at) => documents[at]?.text ?? '');
    const more = texts.reduce((sum, one) => sum + one.length + SEPARATOR.length, 0);
    // What is too long to be given back as one file is no better than the rule alone.
    if (more + text.length > sigmaImportLimits.fileChars || more > charsLeft) return text;
    charsLeft -= more;
    return [...texts, text].join(SEPARATOR);
  }

  function policyOf(rule: PlainRecord, file: string): PolicyRule {
    const id = idOf(rule).toLowerCase();
    const other = id === '' ? undefined : fileById.get(id);
    if (other !== undefined) throw failed(`Its id is that of another rule of this import, in ${other}.`);
    fileById.set(id, file);
    if (rule.action !== undefined) throw skipped('Collections of rules with "action" are not run.');
    if (rule.filter !== undefined) throw skipped('Filters of other rules are not run.');
    if (isCorrelation(rule)) return policyOfCorrelation(rule, others, options);
    if (counted.has(rule)) throw skipped('It is only there to be counted by a correlation of this import.');
    return policyOfRule(rule, options);
  }

  return documents.map(({ file, text, rule, problem }): SigmaOutcome => {
    const about = {
      file,
      id: rule === undefined ? '' : idOf(rule),
      title: rule === undefined ? '' : textOf(rule.title).trim().slice(0, 200),
    };
    try {
      if (rule === undefined) throw problem ?? failed('Not readable.');
      return { ...about, status: 'imported', policy: policyOf(rule, file), text: textToKeep(rule, text) };
    } catch (error) {
      if (!(error instanceof SigmaProblem)) throw error;
      return { ...about, status: error.status, reason: error.message };
    }
  });
}

function readDocuments({ name: file, text }: SigmaFile): Document[] {
  const read = (part: string): Document => {
    try {
      return { file, text: part, rule: readRule(part) };
    } catch (error) {
      if (!(error instanceof SigmaProblem)) throw error;
      return { file, text: part, problem: error };
    }
  };
  let parts: string[];
  try {
    parts = splitDocuments(text);
  } catch (error) {
    if (!(error instanceof SigmaProblem)) throw error;
    return [{ file, text, problem: error }];
  }
  if (parts.length === 0) return [{ file, text, problem: failed('The file holds no rule.') }];
  return parts.map(read);
}
