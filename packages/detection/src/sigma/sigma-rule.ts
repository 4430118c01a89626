import { type Criterion, type PolicyRule, policyRuleSchema } from '@airdeck/contracts/policies/schema';
import { criteriaOfMatches } from '../filter-and-group/matched-events.ts';
import { validatePolicy } from '../policy-set.ts';
import { conjunctsOf } from './criterion-tree.ts';
import { fieldNameOf, mapLogSource } from './log-sources.ts';
import type { Aggregation } from './sigma-aggregation.ts';
import { readDetection } from './sigma-detection.ts';
import { failed, skipped } from './sigma-problem.ts';
import type { Placeholders } from './sigma-values.ts';
import { isList, isRecord, type PlainRecord, type PlainValue } from './sigma-yaml.ts';

export type RuleOptions = {
  /** Values for `%name%` in rules that use the modifier `expand`. */
  readonly placeholders?: Placeholders;
  /** Licence of rules that name none, such as that of the collection they come from. */
  readonly license?: string;
};

const severityByLevel: Readonly<Record<string, PolicyRule['severity']>> = {
  informational: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
};

/** Total of all values of a policy, in characters. */
const MAX_POLICY_CHARS = 1_000_000;

/** Expressions that other engines run, or run longer. */
const notRun: ReadonlySet<string> = new Set(['POLICY_REGEX_UNFIT', 'POLICY_REGEXES_TOO_LARGE']);

/** Turns one rule into a policy. Throws `SigmaProblem`. */
export function policyOfRule(rule: PlainRecord, options: RuleOptions = {}): PolicyRule {
  if (textOf(rule.status) === 'deprecated') throw skipped('Its author has withdrawn the rule (status deprecated).');
  return assembled(rule, logicOfRule(rule, options), options);
}

export type RuleLogic = {
  readonly criteria: readonly Criterion[];
  readonly source: PolicyRule['logic']['source'];
  readonly aggregation: Aggregation | undefined;
  /** Of a correlation of several rules: what must happen to a group. */
  readonly sequence?: { readonly groupBy: readonly string[] } & Pick<PolicyRule['logic'], 'sequence'>;
};

/** What a rule looks for and where. Throws `SigmaProblem`. */
export function logicOfRule(rule: PlainRecord, { placeholders = {} }: RuleOptions): RuleLogic {
  const { detection, logsource: logSource } = rule;
  if (!isRecord(detection)) throw failed('The rule has no detection.');
  if (!isRecord(logSource)) throw failed('The rule has no log source.');
  const part = (name: string) => textOf(logSource[name]).toLowerCase();
  const mapped = mapLogSource({ product: part('product'), category: part('category'), service: part('service') });
  if (mapped === undefined) throw failed('The log source names no product, category or service.');
  const { criterion, aggregation } = readDetection(detection, { placeholders, fieldOf: fieldNameOf });
  return { criteria: [...mapped.criteria, ...conjunctsOf(criterion)], source: mapped.source, aggregation };
}

/** The policy of a rule's texts and a logic; both are checked as if somebody had sent them. Throws `SigmaProblem`. */
export function assembled(rule: PlainRecord, logic: RuleLogic, { license = '' }: RuleOptions): PolicyRule {
  const title = textOf(rule.title).trim();
  if (title === '') throw failed('The rule has no title.');
  const level = textOf(rule.level).toLowerCase();
  const tags = textsOf(rule.tags, 100, 200);
  const techniques = [...new Set(tags.flatMap(techniqueOf))].slice(0, 50);
  const policy: PolicyRule = {
    name: title.slice(0, 200),
    description: textOf(rule.description).trim().slice(0, 10_000),
    type: 'custom',
    severity: severityByLevel[level] ?? 'medium',
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [...logic.criteria],
      group_by: [...(logic.aggregation?.groupBy ?? logic.sequence?.groupBy ?? [])],
      ...(logic.aggregation === undefined ? {} : { threshold: logic.aggregation.threshold }),
      ...(logic.sequence === undefined ? {} : { sequence: logic.sequence.sequence }),
      source: logic.source,
    },
    ...(techniques.length === 0 ? {} : { techniques }),
    origin: {
      format: 'sigma',
      id: idOf(rule),
      author: textOf(rule.author).slice(0, 2000),
      license: (textOf(rule.license) || license).slice(0, 500),
      level: level.slice(0, 50),
      status: textOf(rule.status).slice(0, 50),
      date: (textOf(rule.modified) || textOf(rule.date)).slice(0, 50),
      references: textsOf(rule.references, 100, 2000),
      false_positives: textsOf(rule.falsepositives, 100, 2000),
      tags,
    },
  };
  return checked(policy);
}

export function idOf(rule: PlainRecord): string {
  return textOf(rule.id).trim().slice(0, 100);
}

export function textOf(value: PlainValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function checked(policy: PolicyRule): PolicyRule {
  const criteria = criteriaOfMatches(policy.logic);
  // Selections are shared until they are written out: a short condition can say one thing a thousand times.
  if (sizeOf(criteria) > MAX_POLICY_CHARS)
    throw failed('The rule becomes too large when its condition is written out.');
  const [problem] = validatePolicy(policy);
  if (problem !== undefined) {
    // The rule is as sound as its author's engine; ours runs in linear time, knows less and has less time.
    if (problem.reason !== undefined && notRun.has(problem.reason)) throw skipped(problem.message.slice(0, 300));
    throw failed(problem.message.slice(0, 300));
  }
  const parsed = policyRuleSchema.safeParse(policy);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw failed(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`.slice(0, 300));
}

function sizeOf(criteria: readonly Criterion[]): number {
  let size = 0;
  const open: Criterion[] = [...criteria];
  for (let one = open.pop(); one !== undefined && size <= MAX_POLICY_CHARS; one = open.pop()) {
    size += 20;
    if ('all' in one) open.push(...one.all);
    else if ('any' in one) open.push(...one.any);
    else if ('not' in one) open.push(one.not);
    else size += one.field.length + valueSize(one.value);
  }
  return size;
}

function valueSize(value: unknown): number {
  return Array.isArray(value) ? value.reduce((sum: number, one) => sum + String(one).length, 0) : String(value).length;
}

function techniqueOf(tag: string): string[] {
  const match = /^attack\.(t\d{4}(?:\.\d{3})?)$/i.exec(tag);
  return match?.[1] === undefined ? [] : [match[1].toUpperCase()];
}

function textsOf(value: PlainValue | undefined, count: number, chars: number): string[] {
  const list = isList(value) ? value : [value];
  return list
    .map((one) => textOf(one).trim().slice(0, chars))
    .filter((text) => text !== '')
    .slice(0, count);
}
