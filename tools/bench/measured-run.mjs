import { calibrate } from './calibration.mjs';
import { historyEntry } from './history.mjs';
import { countStolen } from './stolen.mjs';

const signals = ['SIGINT', 'SIGTERM'];

/**
 * Runs a bench between two calibrations and gives `keep` the line of its history, whatever comes of it: figures, a failure,
 * or an interruption, after which `end` is called with the exit code. Answers the figures, and the line they became.
 */
export async function measuredRun(bench, { run, options, keep, end }) {
  const before = calibrate();
  const keepError = (error) => keep(historyEntry({ ...run, calibration: { before }, error }));
  const interrupted = (signal) => {
    keepError(`interrupted by ${signal}`);
    end(130);
  };
  for (const signal of signals) process.once(signal, interrupted);
  const stolen = countStolen();
  let metrics;
  try {
    metrics = await bench.run(options);
  } catch (error) {
    keepError(String(error?.message ?? error));
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, interrupted);
  }
  const stolenPercent = stolen();
  const calibration = {
    before,
    after: calibrate(),
    ...(stolenPercent !== undefined && { stolen_percent: stolenPercent }),
  };
  const entry = historyEntry({ ...run, calibration, metrics, limits: bench.limits });
  keep(entry);
  return { calibration, metrics, entry };
}
