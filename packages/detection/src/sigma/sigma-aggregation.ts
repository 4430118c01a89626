import type { PolicyLogic } from '@airdeck/contracts/policies/schema';
import { failed, skipped } from './sigma-problem.ts';
import type { PlainValue } from './sigma-yaml.ts';

/** Counting, as a policy says it. */
export type Aggregation = {
  readonly groupBy: readonly string[];
  readonly threshold: NonNullable<PolicyLogic['threshold']>;
};

const MAX_COUNT = 100_000;
const MAX_WITHIN_S = 604_800;
const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const COUNT = /^\s*count\(\s*([^)\s]*)\s*\)(?:\s+by\s+([^<>=]+?))?\s*(>=|>|<=|<|==|=)\s*(\d{1,9})\s*$/i;

/** The part of an old condition after the bar: `count(user) by src_ip > 5`. Throws `SigmaProblem`. */
export function readAggregation(
  text: string,
  timeframe: PlainValue | undefined,
  fieldOf: (name: string) => string,
): Aggregation {
  const match = COUNT.exec(text.slice(0, 500));
  if (match === null) throw skipped(`"${text.trim().slice(0, 60)}" is not run: only count() is.`);
  const [, counted = '', by = '', comparison = '', number = ''] = match;
  const operator = comparison === '>=' ? 'gte' : comparison === '>' ? 'gt' : comparison;
  return {
    groupBy: by
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map(fieldOf),
    threshold: thresholdOf({ operator, number: Number(number), timespan: timeframe, counted, fieldOf }),
  };
}

/** Throws `SigmaProblem` for what is no "at least so many within so long". */
export function thresholdOf({
  operator,
  number,
  timespan,
  counted,
  fieldOf,
}: {
  operator: string;
  number: number;
  timespan: PlainValue | undefined;
  counted: string;
  fieldOf: (name: string) => string;
}): Aggregation['threshold'] {
  if (operator !== 'gt' && operator !== 'gte') throw skipped(`Counts are compared with gt and gte, not "${operator}".`);
  const count = operator === 'gt' ? number + 1 : number;
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT) {
    throw skipped(`A count lies between 1 and ${MAX_COUNT}.`);
  }
  return {
    count,
    within_s: secondsOf(timespan),
    ...(counted === '' ? {} : { distinct_field: fieldOf(counted) }),
  };
}

/** Throws `SigmaProblem`. */
export function secondsOf(timespan: PlainValue | undefined): number {
  const match = typeof timespan === 'string' ? /^(\d{1,9})([smhdw])$/.exec(timespan.trim()) : null;
  const unit = secondsPerUnit[match?.[2] ?? ''];
  if (match === null || unit === undefined) throw failed('A rule that counts needs a time span such as 5m.');
  const seconds = Number(match[1]) * unit;
  if (seconds < 1 || seconds > MAX_WITHIN_S) throw skipped('A time span lies between a second and a week.');
  return seconds;
}
