import type { CriterionOperator, FieldCriterion } from '@airdeck/contracts/policies/schema';
import { t } from '../../../language/translate.ts';

/** What stands on the right of an operator: texts as tags, one number, whether the field is there, or nothing. */
type Operand = 'texts' | 'number' | 'presence' | 'none';

type OperatorRow = {
  /** As it reads between field and value. */
  readonly words: string;
  readonly operand: Operand;
  /** Whether it can compare with another field of the event instead. */
  readonly comparesFields?: true;
  /** What a value looks like. */
  readonly example?: string;
};

/** Every comparison in words, in the order of the menu. */
export const operatorTable: Readonly<Record<CriterionOperator, OperatorRow>> = {
  equals: { words: t('is'), operand: 'texts', comparesFields: true },
  in: { words: t('is one of'), operand: 'texts' },
  contains: { words: t('contains'), operand: 'texts', comparesFields: true },
  startswith: { words: t('starts with'), operand: 'texts', comparesFields: true },
  endswith: { words: t('ends with'), operand: 'texts', comparesFields: true },
  wildcard: { words: t('fits the pattern'), operand: 'texts', example: '*\\cmd.exe' },
  regex: { words: t('fits the expression'), operand: 'texts', example: 'user=\\w+' },
  cidr: { words: t('is in the network'), operand: 'texts', example: '192.0.2.0/24' },
  gt: { words: t('is greater than'), operand: 'number' },
  gte: { words: t('is at least'), operand: 'number' },
  lt: { words: t('is less than'), operand: 'number' },
  lte: { words: t('is at most'), operand: 'number' },
  exists: { words: t('is there'), operand: 'presence' },
  empty: { words: t('is missing or empty'), operand: 'none' },
};

export const operators = Object.keys(operatorTable) as readonly CriterionOperator[];

/** The values of a criterion as texts; none where it compares with another field or needs none. */
export function valuesOf({ value, value_field }: FieldCriterion): string[] {
  if (value === undefined || value_field !== undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/**
 * The criterion with other values; one that was there before keeps its type, so that `4625` does not become `"4625"`. What "is"
 * several values is one of them; an expression is always a text.
 */
export function withValues(criterion: FieldCriterion, texts: readonly string[]): FieldCriterion {
  const before = new Map<string, string | number>();
  for (const each of Array.isArray(criterion.value) ? criterion.value : [criterion.value]) {
    if (typeof each === 'string' || typeof each === 'number') before.set(String(each), each);
  }
  const values = criterion.operator === 'regex' ? texts : texts.map((text) => before.get(text) ?? text);
  const [only] = values;
  const { value: _, match, ...rest } = criterion;
  if (only === undefined) return rest;
  if (values.length === 1 && criterion.operator !== 'in') return { ...rest, value: only };
  const operator = criterion.operator === 'equals' ? 'in' : criterion.operator;
  return { ...rest, operator, value: [...values], ...(match === undefined ? {} : { match }) };
}

/** The criterion with another operator; what the new one cannot carry goes. */
export function withOperator(criterion: FieldCriterion, operator: CriterionOperator): FieldCriterion {
  const { value: _, match, case_sensitive, value_field, ...rest } = criterion;
  const row = operatorTable[operator];
  const base = { ...rest, operator };
  if (row.operand === 'none') return base;
  if (row.operand === 'presence') return { ...base, value: true };
  const sensitive = case_sensitive === undefined || row.operand !== 'texts' ? {} : { case_sensitive };
  if (value_field !== undefined && row.comparesFields === true) return { ...base, ...sensitive, value_field };
  const texts = operatorTable[criterion.operator].operand === 'presence' ? [] : valuesOf(criterion);
  if (row.operand === 'number') {
    const number = texts.find((text) => numberOf(text) !== undefined);
    return number === undefined ? base : { ...base, value: numberOf(number) ?? number };
  }
  const matching = match === undefined ? {} : { match };
  return withValues({ ...base, ...sensitive, ...matching, value: criterion.value }, texts);
}

/** A plain decimal number, as the operators of order read it. */
export function numberOf(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
