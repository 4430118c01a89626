import type { Kept } from './history.mjs';
import type { Limit } from './metrics.mjs';

export function regressionLines(earlier: readonly Kept[], run: Kept, limits: Record<string, Limit>): string[];
