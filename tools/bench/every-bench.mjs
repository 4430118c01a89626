import { spawn } from 'node:child_process';
import { metricLine } from './metrics.mjs';

/**
 * Runs benches one after the other, each in a process of its own: one that fails or hangs takes none of the others with it.
 * Answers what came of each, in their order.
 */
export async function runEveryBench(names, { command, atMostMs, say }) {
  const results = [];
  for (const name of names) {
    say(`\n${name} (${results.length + 1} of ${names.length})`);
    results.push({ name, ...(await runOne(command(name), atMostMs)) });
  }
  return results;
}

/** `{ metrics }`, or `{ error }` with the reason in a few words. */
async function runOne([program, ...words], atMostMs) {
  // A group of its own, so that what the bench has started ends with it.
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  let isLate = false;
  const endGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    endGroup('SIGKILL');
  }, atMostMs);
  const interrupted = () => endGroup('SIGINT');
  process.once('SIGINT', interrupted);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', resolve);
  });
  clearTimeout(timer);
  process.off('SIGINT', interrupted);
  if (isLate) return { error: `not done after ${Math.round(atMostMs / 1000)} s` };
  const metrics = metricsOf(out);
  return metrics === undefined ? { error: `ended with ${code} and no figures` } : { metrics };
}

function metricsOf(out) {
  try {
    return JSON.parse(out.trimEnd().split('\n').at(-1)).metrics;
  } catch {
    return undefined;
  }
}

/** The figures of all of them, and those without. */
export function resultLines(results, benches) {
  return results.flatMap(({ name, metrics, error }) => [
    name,
    ...(error === undefined
      ? Object.entries(metrics).map(([metric, figure]) => metricLine(metric, figure, benches[name].limits[metric]))
      : [`  FAILED: ${error}`]),
  ]);
}
