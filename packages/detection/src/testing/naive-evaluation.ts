/**
 * The plainest reading of a policy: every policy on every event, value by value, with nothing remembered. It is what the
 * evaluator is held against, in tests and in the bench, and shares nothing with it.
 */
import { BlockList, isIP } from 'node:net';
import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { Criterion, FieldCriterion, PolicyRule } from '@airdeck/contracts/policies/schema';

/** The leaf values of a field; none when it is missing. */
export type NaiveReader = (name: string, event: ParsedEvent) => readonly unknown[];

/** The group key the event counts for, as a list of none or one. */
export function naiveGroups(rule: PolicyRule, event: ParsedEvent, read: NaiveReader = naiveRead): string[] {
  const { source, filter_criteria: criteria, group_by: groupBy } = rule.logic;
  const fromSource = [source, ...(source.also ?? [])].some(
    ({ connector_definition_id: integration, event_type: eventType }) =>
      (integration === '' || integration === event.integration) && (eventType === '' || eventType === event.event_type),
  );
  if (!fromSource || !criteria.every((item) => fits(item, event, read))) return [];
  const group = groupBy.map((name) => {
    const texts = naiveTexts(read(name, event));
    return texts.length > 1 ? JSON.stringify(texts) : (texts[0] ?? '');
  });
  return group.includes('') ? [] : [JSON.stringify(group)];
}

function fits(item: Criterion, event: ParsedEvent, read: NaiveReader): boolean {
  if ('any' in item) return item.any.some((inner) => fits(inner, event, read));
  if ('all' in item) return item.all.every((inner) => fits(inner, event, read));
  if ('not' in item) return !fits(item.not, event, read);
  const found = read(item.field, event);
  const texts = naiveTexts(found);
  if (item.operator === 'exists') return found.length > 0 === (item.value ?? true);
  if (item.operator === 'empty') return found.length === 0 || texts.includes('');
  if (item.value_field !== undefined) {
    const others = naiveTexts(read(item.value_field, event));
    return others.some(
      (value) => (value !== '' || item.operator === 'equals') && texts.some((text) => compare(item, value, text)),
    );
  }
  const wanted = Array.isArray(item.value) ? item.value : [item.value];
  const fitsValue = (value: unknown) => texts.some((text) => compare(item, value, text));
  return item.match === 'all' ? wanted.every(fitsValue) : wanted.some(fitsValue);
}

function compare(item: FieldCriterion, value: unknown, text: string): boolean {
  const fold = (one: unknown) => (item.case_sensitive === true ? String(one) : String(one).toLowerCase());
  const number = text.trim() === '' ? Number.NaN : Number(text);
  switch (item.operator) {
    case 'equals':
    case 'in':
      return fold(text) === fold(value);
    case 'contains':
      return fold(text).includes(fold(value));
    case 'startswith':
      return fold(text).startsWith(fold(value));
    case 'endswith':
      return fold(text).endsWith(fold(value));
    case 'wildcard':
      return expressionOf(wildcardSource(fold(value)), 's').test(fold(text));
    case 'regex':
      return expressionOf(String(value), item.case_sensitive === true ? '' : 'i').test(text);
    case 'cidr':
      return inRange(String(value), text);
    case 'gt':
      return number > Number(value);
    case 'gte':
      return number >= Number(value);
    case 'lt':
      return number < Number(value);
    case 'lte':
      return number <= Number(value);
    case 'exists':
    case 'empty':
      return true;
  }
}

function wildcardSource(pattern: string): string {
  const source = pattern.replaceAll(/\\[\\*?]|[\s\S]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    return (part.length === 2 ? part.slice(1) : part).replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  });
  return `^${source}$`;
}

const expressions = new Map<string, RegExp>();

/** Compiling the same expression for every event would make the comparison of times meaningless. */
function expressionOf(source: string, flags: string): RegExp {
  const name = `${flags}/${source}`;
  const known = expressions.get(name);
  if (known !== undefined) return known;
  const made = new RegExp(source, flags);
  expressions.set(name, made);
  return made;
}

const ranges = new Map<string, BlockList>();

function inRange(range: string, text: string): boolean {
  if (isIP(text) === 0) return false;
  let list = ranges.get(range);
  if (list === undefined) {
    const [base = '', prefix] = range.split('/');
    list = new BlockList();
    list.addSubnet(base, Number(prefix), isIP(base) === 4 ? 'ipv4' : 'ipv6');
    ranges.set(range, list);
  }
  return list.check(text, isIP(text) === 4 ? 'ipv4' : 'ipv6');
}

/** Knows a few columns and one dot, which is what the tests' events have. */
function naiveRead(name: string, event: ParsedEvent): unknown[] {
  if (name === '*') return everything(event);
  const column = { user: event.user, src_ip: event.src_ip, action: event.action }[name];
  if (typeof column === 'string' && column !== '' && ['user', 'src_ip', 'action'].includes(name)) return [column];
  if (Object.hasOwn(event.fields, name)) return leaves(event.fields[name]);
  const [head = '', tail] = name.split('.');
  if (tail === undefined || !Object.hasOwn(event.fields, head)) return [];
  return leaves(event.fields[head]).flatMap((holder) =>
    typeof holder === 'object' && holder !== null && Object.hasOwn(holder, tail)
      ? leaves((holder as Record<string, unknown>)[tail])
      : [],
  );
}

function everything({ fields, message, raw }: ParsedEvent): unknown[] {
  const walk = (one: unknown): unknown[] =>
    typeof one === 'object' && one !== null ? Object.values(one).flatMap(walk) : [one];
  const line = raw.startsWith('{') || raw === message ? '' : raw;
  const texts = [message, line].filter((one) => one !== '');
  return [...texts, ...walk(fields).filter((one) => one !== null && one !== undefined)];
}

function leaves(of: unknown): unknown[] {
  return [of].flat(8).filter((one) => one !== null && one !== undefined);
}

function naiveTexts(values: readonly unknown[]): string[] {
  return values.filter((one) => typeof one !== 'object').map(String);
}
