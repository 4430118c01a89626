import { type Criterion, POLICY_STEPS_MAX, type PolicyRule } from '@airdeck/contracts/policies/schema';
import { excludeEachOther } from '../filter-and-group/exclusion.ts';
import { allOf, anyOf, conjunctsOf } from './criterion-tree.ts';
import { fieldNameOf } from './log-sources.ts';
import { secondsOf, thresholdOf } from './sigma-aggregation.ts';
import { failed, skipped } from './sigma-problem.ts';
import { assembled, idOf, logicOfRule, type RuleLogic, type RuleOptions, textOf } from './sigma-rule.ts';
import { isList, isRecord, type PlainRecord, type PlainValue } from './sigma-yaml.ts';

/** The other rules of an import, by id or name. */
export type OtherRules = ReadonlyMap<string, PlainRecord>;

const orders: ReadonlySet<string> = new Set(['temporal', 'temporal_ordered']);
const counts: ReadonlySet<string> = new Set(['event_count', 'value_count']);
const MAX_RULES = 20;
const MAX_GROUP_BY = 5;

export function isCorrelation(rule: PlainRecord): boolean {
  return rule.correlation !== undefined;
}

/** The rules of an import that a correlation names; of a rule that is none nothing. */
export function namedBy({ correlation }: PlainRecord, others: OtherRules): PlainRecord[] {
  if (!isRecord(correlation)) return [];
  return namesOf(correlation.rules).flatMap((name) => {
    const named = others.get(name);
    return named === undefined ? [] : [named];
  });
}

/** Rules that a correlation counts and that, by Sigma's rules, raise nothing of their own. */
export function countedBy(rule: PlainRecord, others: OtherRules): PlainRecord[] {
  const { correlation } = rule;
  return isRecord(correlation) && correlation.generate === true ? [] : namedBy(rule, others);
}

/**
 * A correlation as policy: one that counts events or different values has a threshold, one of several rules within a time a
 * sequence. Throws `SigmaProblem`.
 */
export function policyOfCorrelation(rule: PlainRecord, others: OtherRules, options: RuleOptions): PolicyRule {
  const { correlation } = rule;
  if (!isRecord(correlation)) throw failed('The correlation is no map of fields.');
  const type = textOf(correlation.type);
  if (orders.has(type)) {
    const rules = rulesOf(namesOf(correlation.rules), rule, { others, options });
    return assembled(rule, sequenceLogic(correlation, rules, type === 'temporal'), options);
  }
  if (!counts.has(type)) throw skipped(`Correlations of type "${type}" are not run.`);
  if (isRecord(correlation.aliases)) throw skipped('Counts with aliases of fields are not run.');
  const { condition } = correlation;
  if (!isRecord(condition)) throw failed('The correlation has no condition.');
  const [comparison, second] = Object.entries(condition).filter(([name]) => name !== 'field');
  if (comparison === undefined || second !== undefined) throw failed('The correlation needs one comparison.');
  const counted = textOf(condition.field);
  if (type === 'value_count' && counted === '') throw failed('A value_count names the field whose values it counts.');
  const base = joined(rulesOf(namesOf(correlation.rules), rule, { others, options }));
  const threshold = thresholdOf({
    operator: comparison[0],
    number: typeof comparison[1] === 'number' ? comparison[1] : Number.NaN,
    timespan: correlation.timespan,
    counted: type === 'value_count' ? counted : '',
    fieldOf: fieldNameOf,
  });
  return assembled(rule, { ...base, aggregation: { groupBy: groupByOf(correlation), threshold } }, options);
}

function groupByOf(correlation: PlainRecord): string[] {
  const groupBy = namesOf(correlation['group-by']).map(fieldNameOf);
  if (groupBy.length > MAX_GROUP_BY) throw skipped(`Events are grouped by at most ${MAX_GROUP_BY} fields.`);
  return groupBy;
}

type NamedLogic = { readonly name: string; readonly logic: RuleLogic };

/** The rules a correlation names, each under the name it uses. */
function rulesOf(
  names: readonly string[],
  correlation: PlainRecord,
  { others, options }: { others: OtherRules; options: RuleOptions },
): NamedLogic[] {
  if (names.length === 0) throw failed('The correlation names no rules.');
  if (names.length > MAX_RULES) throw skipped(`A correlation names at most ${MAX_RULES} rules.`);
  return names.map((name) => {
    const rule = others.get(name);
    if (rule === undefined) throw failed(`The rule "${name.slice(0, 100)}" is not part of this import.`);
    if (rule === correlation || isCorrelation(rule)) throw skipped('Correlations of correlations are not run.');
    const logic = logicOfRule(rule, options);
    if (logic.aggregation !== undefined) throw skipped('A rule that counts is not counted.');
    return { name, logic };
  });
}

/** Several rules are counted together when they look at the same events. */
function joined(rules: readonly NamedLogic[]): RuleLogic {
  const [first, ...more] = rules.map(({ logic }) => logic);
  if (first === undefined) throw failed('The correlation names no rules.');
  if (more.some(({ source }) => JSON.stringify(source) !== JSON.stringify(first.source))) {
    throw skipped('Rules of different log sources are not counted together.');
  }
  const criterion: Criterion = anyOf([first, ...more].map(({ criteria }) => allOf(criteria)));
  return { criteria: conjunctsOf(criterion), source: first.source, aggregation: undefined };
}

/** One step per rule; a field that the rules call otherwise has an alias the correlation groups by. */
function sequenceLogic(correlation: PlainRecord, rules: readonly NamedLogic[], anyOrder: boolean): RuleLogic {
  const [first] = rules;
  if (first === undefined || rules.length < 2) throw failed('A correlation in time needs at least two rules.');
  if (rules.length > POLICY_STEPS_MAX) throw skipped(`A sequence has at most ${POLICY_STEPS_MAX} steps.`);
  if (correlation.condition !== undefined && !asksForAll(correlation.condition, rules.length)) {
    throw skipped('A correlation in time needs all of its rules here, whatever its condition says.');
  }
  const names = namesOf(correlation['group-by']);
  const groupBy = groupByOf(correlation);
  const isOneSource = rules.every(({ logic }) => JSON.stringify(logic.source) === JSON.stringify(first.logic.source));
  const steps = rules.map(({ name, logic }) => {
    const own = names.map((field) => fieldNameOf(aliasOf(correlation, field, name) ?? field));
    return {
      filter_criteria: [...logic.criteria],
      ...(isOneSource ? {} : { source: logic.source }),
      ...(own.every((field, index) => field === groupBy[index]) ? {} : { group_by: own }),
    };
  });
  refuseSharedEvents(rules, steps);
  return {
    criteria: [],
    source: first.logic.source,
    aggregation: undefined,
    sequence: {
      groupBy,
      sequence: { steps, within_s: secondsOf(correlation.timespan), ...(anyOrder ? { any_order: true } : {}) },
    },
  };
}

/** An event counts for the group of the first step it fits: of a later one it would be missed in silence. */
function refuseSharedEvents(rules: readonly NamedLogic[], steps: readonly { readonly group_by?: string[] }[]): void {
  for (const [index, { name, logic }] of rules.entries()) {
    const fieldsOf = (step: number) => JSON.stringify(steps[step]?.group_by ?? []);
    const shared = rules.find(
      (other, step) => step < index && fieldsOf(step) !== fieldsOf(index) && !excludeEachOther(other.logic, logic),
    );
    if (shared === undefined) continue;
    const names = `"${shared.name.slice(0, 100)}" and "${name.slice(0, 100)}"`;
    throw skipped(
      `One event may fit ${names}, which call its fields by different aliases: it would count for one only.`,
    );
  }
}

/** "At least as many different rules as there are" says nothing new. */
function asksForAll(condition: PlainValue, rules: number): boolean {
  if (!isRecord(condition)) return false;
  const entries = Object.entries(condition);
  return entries.length === 1 && (condition.gte === rules || condition.eq === rules);
}

/** What the events of one rule call a field; undefined where it has no alias. */
function aliasOf(correlation: PlainRecord, field: string, rule: string): string | undefined {
  const { aliases } = correlation;
  const named = isRecord(aliases) ? aliases[field] : undefined;
  if (named === undefined) return undefined;
  const own = isRecord(named) ? textOf(named[rule]) : '';
  if (own === '') throw failed(`The alias "${field.slice(0, 100)}" says nothing for the rule "${rule.slice(0, 100)}".`);
  return own;
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
