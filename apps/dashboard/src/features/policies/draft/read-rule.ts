/**
 * Reads a rule somebody typed as JSON: enough to show it in the form. Whether it can run is the server's to say; its schema
 * is not here, because it would bring the whole library of schemas to this screen.
 */
import type { Criterion, CriterionOperator, PolicyLogic, PolicyRule } from '@airdeck/contracts/policies/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { t } from '../../../language/translate.ts';
import { operators } from '../criteria/operators.ts';

type RuleRead = { rule: PolicyRule } | { problem: string };

const severities: readonly CaseSeverity[] = ['low', 'medium', 'high', 'critical'];
/** Deeper trees are the server's to refuse; here they would only overflow the stack. */
const MAX_DEPTH = 50;

type Json = Record<string, unknown>;

class Unreadable extends Error {}

export function readRule(text: string): RuleRead {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem:
        error instanceof Error ? t('This is no JSON: {reason}', { reason: error.message }) : t('This is no JSON.'),
    };
  }
  try {
    return { rule: ruleFrom(value) };
  } catch (error) {
    if (error instanceof Unreadable) return { problem: error.message };
    throw error;
  }
}

function ruleFrom(value: unknown): PolicyRule {
  const rule = record(value, t('The policy'));
  known(rule, t('The policy'), ['name', 'description', 'type', 'severity', 'techniques', 'logic', 'origin']);
  const severity = severities.find((each) => each === rule.severity);
  if (severity === undefined)
    throw new Unreadable(t('{place} must be one of {values}.', { place: 'severity', values: severities.join(', ') }));
  return {
    name: text(rule.name, 'name'),
    description: text(rule.description ?? '', 'description'),
    type: 'custom',
    severity,
    ...(rule.techniques === undefined ? {} : { techniques: texts(rule.techniques, 'techniques') }),
    logic: logicFrom(rule.logic),
    // Read as it is: the form does not touch it, and the server checks it.
    ...(rule.origin === undefined ? {} : { origin: record(rule.origin, 'origin') as PolicyRule['origin'] & {} }),
  };
}

function logicFrom(value: unknown): PolicyLogic {
  const logic = record(value, 'logic');
  known(logic, 'logic', [
    ...['rule_type', 'source', 'filter_criteria', 'group_by', 'threshold', 'sequence', 'suppress_for_s'],
  ]);
  return {
    rule_type: 'filter_and_group',
    source: sourceFrom(logic.source, 'logic.source'),
    filter_criteria: criteriaFrom(logic.filter_criteria, 'logic.filter_criteria'),
    group_by: texts(logic.group_by ?? [], 'logic.group_by'),
    ...(logic.threshold === undefined ? {} : { threshold: thresholdFrom(logic.threshold) }),
    ...(logic.sequence === undefined ? {} : { sequence: sequenceFrom(logic.sequence) }),
    ...(logic.suppress_for_s === undefined
      ? {}
      : { suppress_for_s: wholeNumber(logic.suppress_for_s, 'logic.suppress_for_s') }),
  };
}

function criteriaFrom(value: unknown, place: string): Criterion[] {
  return list(value, place).map((each, index) => criterionFrom(each, `${place}.${index}`, 0));
}

function sourceFrom(value: unknown, at: string): PolicyLogic['source'] {
  const source = record(value, at);
  known(source, at, ['source_type', 'connector_definition_id', 'event_type', 'also']);
  const one = (each: Json, place: string) => ({
    connector_definition_id: text(each.connector_definition_id ?? '', `${place}.connector_definition_id`),
    event_type: text(each.event_type ?? '', `${place}.event_type`),
  });
  const also = list(source.also ?? [], `${at}.also`).map((each, index) => {
    const place = `${at}.also.${index}`;
    return one(record(each, place), place);
  });
  return { source_type: 'log', ...one(source, at), ...(also.length === 0 ? {} : { also }) };
}

function sequenceFrom(value: unknown): NonNullable<PolicyLogic['sequence']> {
  const sequence = record(value, 'logic.sequence');
  known(sequence, 'logic.sequence', ['steps', 'within_s', 'any_order']);
  const { any_order } = sequence;
  if (any_order !== undefined && typeof any_order !== 'boolean') {
    throw new Unreadable(t('{place} must be true or false.', { place: 'logic.sequence.any_order' }));
  }
  return {
    steps: list(sequence.steps, 'logic.sequence.steps').map((each, index) => {
      const place = `logic.sequence.steps.${index}`;
      const step = record(each, place);
      known(step, place, ['filter_criteria', 'source', 'group_by']);
      return {
        filter_criteria: criteriaFrom(step.filter_criteria, `${place}.filter_criteria`),
        ...(step.source === undefined ? {} : { source: sourceFrom(step.source, `${place}.source`) }),
        ...(step.group_by === undefined ? {} : { group_by: texts(step.group_by, `${place}.group_by`) }),
      };
    }),
    within_s: wholeNumber(sequence.within_s, 'logic.sequence.within_s'),
    ...(any_order === undefined ? {} : { any_order }),
  };
}

function thresholdFrom(value: unknown): NonNullable<PolicyLogic['threshold']> {
  const threshold = record(value, 'logic.threshold');
  known(threshold, 'logic.threshold', ['count', 'within_s', 'distinct_field']);
  const { distinct_field } = threshold;
  return {
    count: wholeNumber(threshold.count, 'logic.threshold.count'),
    within_s: wholeNumber(threshold.within_s, 'logic.threshold.within_s'),
    ...(distinct_field === undefined ? {} : { distinct_field: text(distinct_field, 'logic.threshold.distinct_field') }),
  };
}

function criterionFrom(value: unknown, place: string, depth: number): Criterion {
  if (depth > MAX_DEPTH) throw new Unreadable(t('{place} is nested too deeply.', { place }));
  const criterion = record(value, place);
  const members = (name: 'any' | 'all') =>
    list(criterion[name], `${place}.${name}`).map((each, index) =>
      criterionFrom(each, `${place}.${name}.${index}`, depth + 1),
    );
  if ('any' in criterion) {
    known(criterion, place, ['any']);
    return { any: members('any') };
  }
  if ('all' in criterion) {
    known(criterion, place, ['all']);
    return { all: members('all') };
  }
  if ('not' in criterion) {
    known(criterion, place, ['not']);
    return { not: criterionFrom(criterion.not, `${place}.not`, depth + 1) };
  }
  return fieldFrom(criterion, place);
}

function fieldFrom(criterion: Json, place: string): Criterion {
  known(criterion, place, ['field', 'operator', 'value', 'value_field', 'match', 'case_sensitive']);
  const { value, value_field, match, case_sensitive } = criterion;
  const operator: CriterionOperator | undefined = operators.find((each) => each === criterion.operator);
  if (operator === undefined)
    throw new Unreadable(
      t('{place} must be one of {values}.', { place: `${place}.operator`, values: operators.join(', ') }),
    );
  if (match !== undefined && match !== 'any' && match !== 'all') {
    throw new Unreadable(t('{place} must be any or all.', { place: `${place}.match` }));
  }
  if (case_sensitive !== undefined && typeof case_sensitive !== 'boolean') {
    throw new Unreadable(t('{place} must be true or false.', { place: `${place}.case_sensitive` }));
  }
  return {
    field: text(criterion.field, `${place}.field`),
    operator,
    ...(value === undefined ? {} : { value: comparable(value, `${place}.value`) }),
    ...(value_field === undefined ? {} : { value_field: text(value_field, `${place}.value_field`) }),
    ...(match === undefined ? {} : { match }),
    ...(case_sensitive === undefined ? {} : { case_sensitive }),
  };
}

function comparable(value: unknown, place: string): string | number | boolean | (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number')) return value;
  throw new Unreadable(t('{place} must be a text, a number, true, false, or a list of texts and numbers.', { place }));
}

/** A key nobody knows would be lost without a word when the form is shown. */
function known(value: Json, place: string, keys: readonly string[]): void {
  const other = Object.keys(value).find((key) => !keys.includes(key));
  if (other !== undefined)
    throw new Unreadable(t('{place} has no “{other}”. It may have {keys}.', { place, other, keys: keys.join(', ') }));
}

function record(value: unknown, place: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Unreadable(t('{place} must be an object.', { place }));
}

function list(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Unreadable(t('{place} must be a list.', { place }));
}

function text(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  throw new Unreadable(t('{place} must be a text.', { place }));
}

function texts(value: unknown, place: string): string[] {
  return list(value, place).map((each, index) => text(each, `${place}.${index}`));
}

function wholeNumber(value: unknown, place: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Unreadable(t('{place} must be a whole number.', { place }));
}
