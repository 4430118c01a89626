import type { Calibration } from './calibration.mjs';
import type { Limit, Metric } from './metrics.mjs';

export type Source = { commit: string | null; changed: boolean | null };
export type Kept = {
  at: string;
  commit: string | null;
  changed: boolean | null;
  bench: string;
  full: boolean;
  machine: Record<string, string | number>;
  calibration: { before?: Calibration; after?: Calibration; stolen_percent?: number };
  metrics?: Record<string, Metric & { within?: boolean }>;
  error?: string;
};

export function historyEntry(run: {
  at: Date;
  source: Source;
  name: string;
  full: boolean;
  machine: Record<string, string | number>;
  calibration: Kept['calibration'];
  metrics?: Record<string, Metric>;
  limits?: Record<string, Limit>;
  error?: string | undefined;
}): Kept;
export function appendHistory(entry: Kept, file?: string): void;
export function readHistory(file?: string): Kept[];
export function sourceState(folder: string): Source;
export function historyLines(entries: readonly Kept[], name: string): string[];
export function speedPower(unit: string): -1 | 0 | 1;
export function cpuOf(entry: Kept): number;
