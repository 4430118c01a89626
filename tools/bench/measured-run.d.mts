import type { Calibration } from './calibration.mjs';
import type { Kept, Source } from './history.mjs';
import type { Limit, Metric } from './metrics.mjs';

type Options = { full: boolean };
type Figures = Record<string, Metric>;

export function measuredRun(
  bench: { limits: Record<string, Limit>; run: (options: Options) => Promise<Figures> },
  given: {
    run: { at: Date; source: Source; name: string; full: boolean; machine: Record<string, string | number> };
    options: Options;
    keep: (entry: Kept) => void;
    end: (code: number) => void;
  },
): Promise<{
  calibration: { before: Calibration; after: Calibration; stolen_percent?: number };
  metrics: Figures;
  entry: Kept;
}>;
