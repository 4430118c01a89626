export type Metric = { value: number; unit: string; spread: number };
export type Limit = { atMost?: number; atLeast?: number };

export function metricOf(values: readonly number[], unit: string): Metric;
export function isWithin(metric: { value: number }, limit: Limit | undefined): boolean | undefined;
export function metricLine(name: string, metric: Metric, limit: Limit | undefined): string;
