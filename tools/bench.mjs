// `npm run bench -- <name> [--json] [--full] [--no-history]`: one bench, its figures against their limits, and the machine.
// `npm run bench -- all` runs them one after the other; `npm run bench -- history <name>` shows earlier runs.
import { fileURLToPath } from 'node:url';
import { installIfNeeded } from './run/install.mjs';
import { requireNode } from './run/node-version.mjs';

requireNode();
await installIfNeeded();
const [
  { benches },
  { describeMachine, machineLine },
  { isWithin, metricLine },
  { calibrate },
  { appendHistory, historyEntry, historyLines, readHistory, sourceState },
  { resultLines, runEveryBench },
] = await Promise.all([
  import('./bench/registry.mjs'),
  import('./bench/machine.mjs'),
  import('./bench/metrics.mjs'),
  import('./bench/calibration.mjs'),
  import('./bench/history.mjs'),
  import('./bench/every-bench.mjs'),
]);

const MINUTE_MS = 60_000;
const flags = new Set(['--json', '--full', '--no-history']);
const arguments_ = process.argv.slice(2);
const options = {
  json: arguments_.includes('--json'),
  full: arguments_.includes('--full'),
  keeps: !arguments_.includes('--no-history'),
};
const [name, ...more] = arguments_.filter((argument) => !flags.has(argument));
const isBench = (word) => word !== undefined && Object.hasOwn(benches, word);
if (isBench(name) && more.length === 0) process.exitCode = (await runBench(name)) ? 0 : 1;
else if (name === 'all' && more.length === 0) process.exitCode = (await runAll()) ? 0 : 1;
else if (name === 'history' && more.length === 1 && isBench(more[0])) showHistory(more[0]);
else {
  console.error('Usage: npm run bench -- <name> [--json] [--full] [--no-history]');
  console.error('       npm run bench -- all [--full] [--no-history]');
  console.error('       npm run bench -- history <name>\n');
  for (const [known, { measures }] of Object.entries(benches)) console.error(`  ${known.padEnd(16)} ${measures}`);
  process.exitCode = 2;
}

/** Whether every figure keeps its limit. */
async function runBench(wanted) {
  const bench = benches[wanted];
  const { buildIfStale } = await import('./run/build-if-stale.mjs');
  // The words of a build go to stderr: the last line of stdout is for programs.
  if (!buildIfStale(bench.needsBuild, process.stderr)) return false;
  const machine = describeMachine();
  console.error(`${wanted}: ${bench.measures}\n${machineLine(machine)}`);
  const run = { at: new Date(), source: sourceState(fileURLToPath(new URL('..', import.meta.url))), name: wanted };
  const keep = (outcome) => {
    if (options.keeps) appendHistory(historyEntry({ ...run, full: options.full, machine, ...outcome }));
  };
  const before = calibrate();
  let metrics;
  try {
    metrics = await bench.run(options);
  } catch (error) {
    keep({ calibration: { before }, error: String(error?.message ?? error).slice(0, 300) });
    throw error;
  }
  const calibration = { before, after: calibrate() };
  console.error(calibrationLine(calibration));
  for (const [metric, figure] of Object.entries(metrics)) {
    (options.json ? console.error : console.log)(metricLine(metric, figure, bench.limits[metric]));
  }
  keep({ calibration, metrics, limits: bench.limits });
  if (options.json) console.log(JSON.stringify({ bench: wanted, machine, calibration, metrics }));
  return Object.entries(metrics).every(([key, figure]) => isWithin(figure, bench.limits[key]) !== false);
}

function calibrationLine({ before, after }) {
  return `the same work before and after: cpu ${before.cpu_ms} and ${after.cpu_ms} ms, fsync ${before.fsync_ms} and ${after.fsync_ms} ms`;
}

async function runAll() {
  const passed = arguments_.filter((argument) => argument === '--full' || argument === '--no-history');
  const results = await runEveryBench(Object.keys(benches), {
    command: (one) => [process.execPath, fileURLToPath(import.meta.url), one, '--json', ...passed],
    atMostMs: (options.full ? 90 : 20) * MINUTE_MS,
    say: (line) => console.error(line),
  });
  for (const line of resultLines(results, benches)) console.log(line);
  const isKept = ({ name: one, metrics = {}, error }) =>
    error === undefined &&
    Object.entries(metrics).every(([key, figure]) => isWithin(figure, benches[one].limits[key]) !== false);
  return results.every(isKept);
}

function showHistory(wanted) {
  for (const line of historyLines(readHistory(), wanted)) console.log(line);
}
