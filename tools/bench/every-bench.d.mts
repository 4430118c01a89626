import type { Limit, Metric } from './metrics.mjs';

type Result = { name: string; metrics?: Record<string, Metric>; worse?: string[]; error?: string };

export function runEveryBench(
  names: readonly string[],
  options: {
    command: (name: string) => readonly string[];
    atMostMs: number;
    say: (line: string) => void;
    whenKilled: (name: string, error: string) => void;
  },
): Promise<Result[]>;
export function resultLines(
  results: readonly Result[],
  benches: Readonly<Record<string, { limits: Record<string, Limit> }>>,
): string[];
