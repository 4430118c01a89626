/**
 * What rules of a publisher look for, written anew from their descriptions as tables of criteria; the publisher's own events
 * and verdicts judge them (`published-verdicts.test.ts`).
 */
import type { Criterion } from '@airdeck/contracts/policies/schema';
import { equals, oneOf } from '../starters/starter.ts';

/** By the publisher's id of the rule: criteria that must all hold. */
export type VerdictRules = Readonly<Record<string, readonly Criterion[]>>;

export const is = (field: string, ...values: (string | number)[]): Criterion =>
  values.length === 1 ? equals(field, values[0] ?? '') : oneOf(field, values.map(String));

export const startsWith = (field: string, ...value: string[]): Criterion => ({ field, operator: 'startswith', value });

export const there = (field: string): Criterion => ({ field, operator: 'exists' });

export const missing = (field: string): Criterion => ({ field, operator: 'exists', value: false });

export const not = (criterion: Criterion): Criterion => ({ not: criterion });

export const any = (...criteria: Criterion[]): Criterion => ({ any: criteria });

export const all = (...criteria: Criterion[]): Criterion => ({ all: criteria });

export const above = (field: string, value: number): Criterion => ({ field, operator: 'gt', value });

export const atLeast = (field: string, value: number): Criterion => ({ field, operator: 'gte', value });

export const below = (field: string, value: number): Criterion => ({ field, operator: 'lt', value });

export const matches = (field: string, value: string): Criterion => ({ field, operator: 'regex', value });

export const within = (field: string, ...value: string[]): Criterion => ({ field, operator: 'cidr', value });
