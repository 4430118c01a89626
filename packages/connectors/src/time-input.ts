import type { ActionContext, InputProblem } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';

/** ISO 8601 with date, time and zone: a time without a zone means another moment on every machine. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A time of an action's input; undefined when it is not given. Throws `VENDOR_REJECTED` for what is no time. */
export function inputTime({ input }: Pick<ActionContext, 'input'>, field: string): Date | undefined {
  const value = input[field];
  if (value === undefined || value === null || value === '') return undefined;
  const timeMs = typeof value === 'string' && ISO_TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(timeMs)) return new Date(timeMs);
  throw new VendorError('VENDOR_REJECTED', `"${field}" must be a time such as 2026-01-31T08:00:00Z.`);
}

/** Of times that both are given; what one of them is without the other, only the action knows. */
export function reversedTimes(input: JsonObject): readonly InputProblem[] {
  const { start_time: start, end_time: end } = input;
  if (typeof start !== 'string' || typeof end !== 'string' || !(Date.parse(start) > Date.parse(end))) return [];
  return [{ field: 'start_time', reason: 'TIME_AFTER_END' }];
}
