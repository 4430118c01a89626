/**
 * What of a policy the event store can judge, as SQL. A condition may let events through that do not fit, never the other
 * way round: the evaluator decides. What cannot be said that way is left out.
 *
 * Text is compared in lower case of ASCII; values with other letters are left to the evaluator. Values are bound; names of
 * fields are put into the statement only where they are letters, digits, spaces and a few harmless signs.
 */
import { eventColumns } from '@airdeck/contracts/events/event';
import { ANY_FIELD, type Criterion, type FieldCriterion, type PolicyRule } from '@airdeck/contracts/policies/schema';
import { fieldHolderParents, fieldHolders, otherNames } from '@airdeck/detection/field-names';
import { criteriaOfMatches } from '@airdeck/detection/filter-and-group/matched-events';
import { quotedKey } from '@airdeck/query-language/sql-parts';
import { sourcesOf } from './policy-sources.ts';

export type StoreCondition = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> };

type Bind = (value: unknown, type: string) => string;
/** Whether the text of an expression fits. */
type TextTest = (expression: string) => string;

/** Beyond this a statement costs more than it saves. */
const MAX_TESTS = 120;
const MAX_VALUES = 500;

const textColumns: ReadonlySet<string> = new Set(eventColumns.filter((column) => column !== 'time'));
const PLAIN_NAME = /^[A-Za-z0-9_@#$ -]+(\.[A-Za-z0-9_@#$ -]+)*$/;
const ORIGINAL_PREFIX = 'fields.';

/** The events of the policy's sources, and those of them that can fit. */
export function conditionsOf(
  rule: Pick<PolicyRule, 'logic'>,
): { source: string; candidate: string } & Pick<StoreCondition, 'params'> {
  const params: Record<string, unknown> = {};
  const bind: Bind = (value, type) => {
    const name = `c${Object.keys(params).length}`;
    params[name] = value;
    return `{${name}:${type}}`;
  };
  const source = sourceCondition(rule, bind);
  const budget = { left: MAX_TESTS };
  const candidate = allOf(criteriaOfMatches(rule.logic).map((criterion) => conditionOf(criterion, bind, budget)));
  return { source, candidate: candidate ?? 'true', params };
}

function sourceCondition(rule: Pick<PolicyRule, 'logic'>, bind: Bind): string {
  const kinds = sourcesOf(rule).map(({ integration, eventType }) =>
    [
      ...(integration === '' ? [] : [`lower(integration) = ${bind(integration, 'String')}`]),
      ...(eventType === '' ? [] : [`lower(event_type) = ${bind(eventType, 'String')}`]),
    ].join(' and '),
  );
  return kinds.includes('') ? 'true' : `(${kinds.map((kind) => `(${kind})`).join(' or ')})`;
}

/** Undefined when anything may fit. */
function conditionOf(criterion: Criterion, bind: Bind, budget: { left: number }): string | undefined {
  if ('all' in criterion) return allOf(criterion.all.map((one) => conditionOf(one, bind, budget)));
  if ('any' in criterion) {
    const parts: string[] = [];
    for (const one of criterion.any) {
      const part = conditionOf(one, bind, budget);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return `(${parts.join(' or ')})`;
  }
  // What may let too much through lets too little through once it is turned round.
  if ('not' in criterion) return undefined;
  return fieldCondition(criterion, bind, budget);
}

function allOf(parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : `(${known.join(' and ')})`;
}

function fieldCondition(criterion: FieldCriterion, bind: Bind, budget: { left: number }): string | undefined {
  if (criterion.value_field !== undefined || criterion.field === ANY_FIELD) return undefined;
  const names = namesOf(criterion.field);
  // To look under some of them only would let too little through.
  if (!names.every((name) => PLAIN_NAME.test(name))) return undefined;
  const test = textTestOf(criterion, bind);
  if (test === undefined || budget.left <= 0) return undefined;
  budget.left -= 1;
  const inFields = fieldsCondition(names, test);
  if (!textColumns.has(criterion.field)) return inFields;
  const column = criterion.field;
  return `(if(${column} = '', ${inFields}, ${test(column)}))`;
}

function namesOf(field: string): string[] {
  const name = field.startsWith(ORIGINAL_PREFIX) ? field.slice(ORIGINAL_PREFIX.length) : field;
  return [...new Set([field, name, ...(otherNames.get(field) ?? [])])];
}

/** Everywhere the evaluator looks for a field of the original (`field-names.ts`). */
function fieldsCondition(names: readonly string[], test: TextTest): string {
  const paths = names.map((one) => one.split('.'));
  const held = names
    .filter((one) => !one.includes('.'))
    .flatMap((one) => [...fieldHolders, ...fieldHolderParents].map((holder) => [...holder, one]));
  const tests = [...paths, ...held].map((path) => pathTest(path, test));
  // A list on the way hides what is below it; a record of unknown name may be there. The evaluator looks closer.
  const hidden = new Set(
    paths.flatMap((path) =>
      path.slice(1).map((_, index) => `startsWith(dynamicType(${subcolumn(path.slice(0, index + 1))}), 'Array')`),
    ),
  );
  const parents = fieldHolderParents.map(
    ([first = '', ...rest]) => `toString(fields.^${[first, ...rest].map(quotedKey).join('.')}) != '{}'`,
  );
  return `(${[...tests, ...hidden, ...parents].join(' or ')})`;
}

/** Lists and numbers with a point are written otherwise there: they always pass. */
function pathTest(path: readonly string[], test: TextTest): string {
  const column = subcolumn(path);
  const isPlain = `dynamicType(${column}) in ('String', 'Int64', 'UInt64', 'Bool')`;
  return `(dynamicType(${column}) != 'None' and (not ${isPlain} or ${test(`ifNull(toString(${column}), '')`)}))`;
}

function subcolumn(path: readonly string[]): string {
  return `fields.${path.map(quotedKey).join('.')}`;
}

/** Undefined when the store cannot judge the operator or the value. */
function textTestOf(criterion: FieldCriterion, bind: Bind): TextTest | undefined {
  const { value, match } = criterion;
  if (value === undefined || typeof value === 'boolean') return undefined;
  const values = (Array.isArray(value) ? value : [value]).map((one) => String(one).toLowerCase());
  if (values.length === 0 || values.length > MAX_VALUES || !values.every(isAscii)) return undefined;
  switch (criterion.operator) {
    case 'equals':
    case 'in': {
      const list = bind(values, 'Array(String)');
      return (text) => `lower(${text}) in ${list}`;
    }
    case 'contains':
      return eachOf(values, match, bind, (text, one) => `position(lower(${text}), ${one}) > 0`);
    case 'startswith':
      return eachOf(values, match, bind, (text, one) => `startsWith(lower(${text}), ${one})`);
    case 'endswith':
      return eachOf(values, match, bind, (text, one) => `endsWith(lower(${text}), ${one})`);
    default:
      return undefined;
  }
}

const MAX_EACH = 40;

function eachOf(
  values: readonly string[],
  match: 'any' | 'all' | undefined,
  bind: Bind,
  fits: (text: string, value: string) => string,
): TextTest | undefined {
  // Of values that must all fit, some are enough to leave events out.
  const tried = match === 'all' ? values.slice(0, 4) : values;
  if (tried.length > MAX_EACH) return undefined;
  const bound = tried.map((one) => bind(one, 'String'));
  return (text) => `(${bound.map((one) => fits(text, one)).join(match === 'all' ? ' and ' : ' or ')})`;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
