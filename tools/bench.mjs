// `npm run bench -- <name> [--json] [--full]`: one bench, its figures against their limits, and the machine.
import { installIfNeeded } from './run/install.mjs';
import { requireNode } from './run/node-version.mjs';

requireNode();
await installIfNeeded();
const [{ benches }, { describeMachine, machineLine }, { isWithin, metricLine }] = await Promise.all([
  import('./bench/registry.mjs'),
  import('./bench/machine.mjs'),
  import('./bench/metrics.mjs'),
]);

const arguments_ = process.argv.slice(2);
const options = { json: arguments_.includes('--json'), full: arguments_.includes('--full') };
const [name, ...more] = arguments_.filter((argument) => argument !== '--json' && argument !== '--full');
const bench = name !== undefined && Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench === undefined || more.length > 0) {
  console.error(`Usage: npm run bench -- <name> [--json] [--full]\n`);
  for (const [known, { measures }] of Object.entries(benches)) console.error(`  ${known.padEnd(16)} ${measures}`);
  process.exit(2);
}

const { buildIfStale } = await import('./run/build-if-stale.mjs');
// The words of a build go to stderr: the last line of stdout is for programs.
if (!buildIfStale(bench.needsBuild, process.stderr)) process.exit(1);

const machine = describeMachine();
console.error(`${name}: ${bench.measures}\n${machineLine(machine)}`);
const metrics = await bench.run(options);
for (const [metric, figure] of Object.entries(metrics)) {
  (options.json ? console.error : console.log)(metricLine(metric, figure, bench.limits[metric]));
}
if (options.json) console.log(JSON.stringify({ bench: name, machine, metrics }));
process.exitCode = Object.entries(metrics).some(([key, figure]) => isWithin(figure, bench.limits[key]) === false)
  ? 1
  : 0;
