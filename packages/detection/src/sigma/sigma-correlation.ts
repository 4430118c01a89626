import type { Criterion, PolicyRule } from '@airdeck/contracts/policies/schema';
import { allOf, anyOf, conjunctsOf } from './criterion-tree.ts';
import { fieldNameOf } from './log-sources.ts';
import { thresholdOf } from './sigma-aggregation.ts';
import { failed, skipped } from './sigma-problem.ts';
import { assembled, idOf, logicOfRule, type RuleLogic, type RuleOptions, textOf } from './sigma-rule.ts';
import { isList, isRecord, type PlainRecord, type PlainValue } from './sigma-yaml.ts';

/** The other rules of an import, by id or name. */
export type OtherRules = ReadonlyMap<string, PlainRecord>;

const orders: ReadonlySet<string> = new Set(['temporal', 'temporal_ordered']);
const MAX_RULES = 20;
const MAX_GROUP_BY = 5;

export function isCorrelation(rule: PlainRecord): boolean {
  return rule.correlation !== undefined;
}

/** Rules that a correlation counts and that, by Sigma's rules, raise nothing of their own. */
export function countedBy(rule: PlainRecord, others: OtherRules): PlainRecord[] {
  const { correlation } = rule;
  if (!isRecord(correlation) || correlation.generate === true) return [];
  return namesOf(correlation.rules).flatMap((name) => {
    const counted = others.get(name);
    return counted === undefined ? [] : [counted];
  });
}

/** A correlation that counts events, or different values, as policy with a threshold. Throws `SigmaProblem`. */
export function policyOfCorrelation(rule: PlainRecord, others: OtherRules, options: RuleOptions): PolicyRule {
  const { correlation } = rule;
  if (!isRecord(correlation)) throw failed('The correlation is no map of fields.');
  const type = textOf(correlation.type);
  if (orders.has(type)) throw skipped(`Correlations of type ${type} are not run yet.`);
  if (type !== 'event_count' && type !== 'value_count') throw skipped(`Correlations of type "${type}" are not run.`);
  if (isRecord(correlation.aliases)) throw skipped('Correlations with aliases of fields are not run.');
  const { condition } = correlation;
  if (!isRecord(condition)) throw failed('The correlation has no condition.');
  const [comparison, second] = Object.entries(condition).filter(([name]) => name !== 'field');
  if (comparison === undefined || second !== undefined) throw failed('The correlation needs one comparison.');
  const counted = textOf(condition.field);
  if (type === 'value_count' && counted === '') throw failed('A value_count names the field whose values it counts.');
  const groupBy = namesOf(correlation['group-by']).map(fieldNameOf);
  if (groupBy.length > MAX_GROUP_BY) throw skipped(`Events are grouped by at most ${MAX_GROUP_BY} fields.`);
  const base = joined(namesOf(correlation.rules), rule, { others, options });
  const threshold = thresholdOf({
    operator: comparison[0],
    number: typeof comparison[1] === 'number' ? comparison[1] : Number.NaN,
    timespan: correlation.timespan,
    counted: type === 'value_count' ? counted : '',
    fieldOf: fieldNameOf,
  });
  return assembled(rule, { ...base, aggregation: { groupBy, threshold } }, options);
}

/** Several rules are counted together when they look at the same events. */
function joined(
  names: readonly string[],
  correlation: PlainRecord,
  { others, options }: { others: OtherRules; options: RuleOptions },
): RuleLogic {
  if (names.length === 0) throw failed('The correlation names no rules.');
  if (names.length > MAX_RULES) throw skipped(`A correlation counts at most ${MAX_RULES} rules.`);
  const logics = names.map((name) => {
    const rule = others.get(name);
    if (rule === undefined) throw failed(`The rule "${name.slice(0, 100)}" is not part of this import.`);
    if (rule === correlation || isCorrelation(rule)) throw skipped('Correlations of correlations are not run.');
    return logicOfRule(rule, options);
  });
  const [first, ...more] = logics;
  if (first === undefined) throw failed('The correlation names no rules.');
  if (more.some(({ source }) => JSON.stringify(source) !== JSON.stringify(first.source))) {
    throw skipped('Rules of different log sources are not counted together.');
  }
  if (logics.some(({ aggregation }) => aggregation !== undefined)) throw skipped('A rule that counts is not counted.');
  const criterion: Criterion = anyOf(logics.map(({ criteria }) => allOf(criteria)));
  return { criteria: conjunctsOf(criterion), source: first.source, aggregation: undefined };
}

/** Id and name both lead to a rule. */
export function othersByName(rules: readonly PlainRecord[]): OtherRules {
  const byName = new Map<string, PlainRecord>();
  for (const rule of rules) {
    for (const name of [idOf(rule), textOf(rule.name)]) if (name !== '' && !byName.has(name)) byName.set(name, rule);
  }
  return byName;
}

function namesOf(value: PlainValue | undefined): string[] {
  const list = isList(value) ? value : [value];
  return list.map(textOf).filter((name) => name !== '');
}
