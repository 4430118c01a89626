// `npm run bench -- <name> [--json] [--full] [--no-history]`: one bench, its figures against their limits, and the machine.
// `npm run bench -- all` runs them one after the other; `npm run bench -- history [<name>]` shows earlier runs.
import { fileURLToPath } from 'node:url';
import { installIfNeeded } from './run/install.mjs';
import { requireNode } from './run/node-version.mjs';
import { root } from './run/root.mjs';

requireNode();
await installIfNeeded();
const [
  { benches },
  { describeMachine, machineLine },
  { isWithin, metricLine },
  { calibrate },
  { appendHistory, historyEntry, historyLines, readHistory, sourceState },
  { measuredRun },
  { resultLines, runEveryBench },
  { regressionLines },
  { readCommand },
] = await Promise.all([
  import('./bench/registry.mjs'),
  import('./bench/machine.mjs'),
  import('./bench/metrics.mjs'),
  import('./bench/calibration.mjs'),
  import('./bench/history.mjs'),
  import('./bench/measured-run.mjs'),
  import('./bench/every-bench.mjs'),
  import('./bench/regressions.mjs'),
  import('./bench/command-line.mjs'),
]);

const MINUTE_MS = 60_000;
const command = readCommand(process.argv.slice(2), benches);
if (command?.kind === 'one') process.exitCode = (await runBench(command.names[0], command.options)) ? 0 : 1;
else if (command?.kind === 'all') process.exitCode = (await runAll(command.names, command.options)) ? 0 : 1;
else if (command?.kind === 'history') showHistory(command.names);
else {
  console.error('Usage: npm run bench -- <name> [--json] [--full] [--no-history]');
  console.error('       npm run bench -- all [--full] [--no-history]');
  console.error('       npm run bench -- history [<name>]\n');
  for (const [known, { measures }] of Object.entries(benches)) console.error(`  ${known.padEnd(16)} ${measures}`);
  process.exitCode = 2;
}

/** Whether every figure keeps its limit and none got worse. */
async function runBench(name, options) {
  const bench = benches[name];
  const run = runOf(name, options);
  const keep = (entry) => {
    if (options.keeps) appendHistory(entry);
  };
  const { buildIfStale } = await import('./run/build-if-stale.mjs');
  // The words of a build go to stderr: the last line of stdout is for programs.
  if (!buildIfStale(bench.needsBuild, process.stderr)) {
    keep(historyEntry({ ...run, calibration: { before: calibrate() }, error: 'the build failed' }));
    return false;
  }
  console.error(`${name}: ${bench.measures}\n${machineLine(run.machine)}`);
  const earlier = readHistory();
  const { calibration, metrics, entry } = await measuredRun(bench, {
    ...{ run, options, keep },
    end: (code) => process.exit(code),
  });
  const worse = regressionLines(earlier, entry, bench.limits);
  console.error(calibrationLine(calibration));
  for (const [metric, figure] of Object.entries(metrics)) {
    (options.json ? console.error : console.log)(metricLine(metric, figure, bench.limits[metric]));
  }
  for (const line of worse) (options.json ? console.error : console.log)(`  WORSE: ${line}`);
  if (options.json) console.log(JSON.stringify({ bench: name, machine: run.machine, calibration, metrics, worse }));
  return isGood({ name, metrics, worse });
}

function runOf(name, { full }) {
  return { at: new Date(), source: sourceState(root), name, full, machine: describeMachine() };
}

function calibrationLine({ before, after, stolen_percent: stolen }) {
  const work = `the same work before and after: cpu ${before.cpu_ms} and ${after.cpu_ms} ms, fsync ${before.fsync_ms} and ${after.fsync_ms} ms`;
  return stolen === undefined ? work : `${work}; ${stolen} % of the processors' time went to others on the host`;
}

async function runAll(names, options) {
  const passed = [options.full ? '--full' : [], options.keeps ? [] : '--no-history'].flat();
  const results = await runEveryBench(names, {
    command: (name) => [process.execPath, fileURLToPath(import.meta.url), name, '--json', ...passed],
    atMostMs: (options.full ? 90 : 20) * MINUTE_MS,
    say: (line) => console.error(line),
    whenKilled: (name, error) => {
      const entry = historyEntry({ ...runOf(name, options), calibration: { after: calibrate() }, error });
      if (options.keeps) appendHistory(entry);
    },
  });
  for (const line of resultLines(results, benches)) console.log(line);
  return results.every(isGood);
}

function isGood({ name, metrics, worse, error }) {
  const { limits } = benches[name];
  const areWithin = () => Object.entries(metrics).every(([key, figure]) => isWithin(figure, limits[key]) !== false);
  return error === undefined && worse.length === 0 && areWithin();
}

function showHistory(names) {
  const entries = readHistory();
  for (const name of names) {
    if (names.length > 1) console.log(`\n${name}`);
    for (const line of historyLines(entries, name)) console.log(line);
  }
}
