/**
 * Graylog counts upwards, from 0 (info) to 4 (critical); this product counts downwards, 1 high, 2 medium, 3 low. This is the
 * only place that knows both: passed through, every low alert would show as high.
 */
export type Priority = 1 | 2 | 3;

/** Ours for one of Graylog's; undefined for what is none. Servers without critical and info have 1 to 3, the same way. */
export function priorityFromGraylog(value: unknown): Priority | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 4) return undefined;
  if (value >= 3) return 1;
  return value === 2 ? 2 : 3;
}

/** All of Graylog's that are this one of ours, for filters. */
export function prioritiesInGraylog(priority: Priority): readonly number[] {
  return graylogPriorities[priority];
}

const graylogPriorities: Readonly<Record<Priority, readonly number[]>> = { 1: [3, 4], 2: [2], 3: [0, 1] };
