import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { countedBy, isCorrelation, othersByName, policyOfCorrelation } from './sigma-correlation.ts';
import { failed, SigmaProblem, skipped } from './sigma-problem.ts';
import { idOf, policyOfRule, type RuleOptions, textOf } from './sigma-rule.ts';
import { type PlainRecord, readRule, splitDocuments } from './sigma-yaml.ts';

/** A file of one or more rules; the name is for people. */
export type SigmaFile = { readonly name: string; readonly text: string };

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
  | { readonly status: 'imported'; readonly policy: PolicyRule }
  | { readonly status: 'skipped' | 'failed'; readonly reason: string }
);

type Document = { readonly file: string; readonly rule?: PlainRecord; readonly problem?: SigmaProblem };

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

  return documents.map(({ file, rule, problem }): SigmaOutcome => {
    const about = {
      file,
      id: rule === undefined ? '' : idOf(rule),
      title: rule === undefined ? '' : textOf(rule.title).trim().slice(0, 200),
    };
    try {
      if (rule === undefined) throw problem ?? failed('Not readable.');
      return { ...about, status: 'imported', policy: policyOf(rule, file) };
    } catch (error) {
      if (!(error instanceof SigmaProblem)) throw error;
      return { ...about, status: error.status, reason: error.message };
    }
  });
}

function readDocuments({ name: file, text }: SigmaFile): Document[] {
  const read = (document: () => PlainRecord): Document => {
    try {
      return { file, rule: document() };
    } catch (error) {
      if (!(error instanceof SigmaProblem)) throw error;
      return { file, problem: error };
    }
  };
  let parts: string[];
  try {
    parts = splitDocuments(text);
  } catch (error) {
    if (!(error instanceof SigmaProblem)) throw error;
    return [{ file, problem: error }];
  }
  if (parts.length === 0) return [{ file, problem: failed('The file holds no rule.') }];
  return parts.map((part) => read(() => readRule(part)));
}
