import { spawn } from 'node:child_process';
import { metricLine } from './metrics.mjs';

const signals = ['SIGINT', 'SIGTERM'];
const ASKED_MS = 10_000;

/**
 * Runs benches one after the other, each in a process of its own: one that fails or hangs takes none of the others with it.
 * An interruption ends them all. Answers what came of each, in their order; `whenKilled` hears of those that could not say so
 * themselves.
 */
export async function runEveryBench(names, { command, atMostMs, say, whenKilled }) {
  const results = [];
  for (const name of names) {
    say(`\n${name} (${results.length + 1} of ${names.length})`);
    const { how, ...result } = await runOne(command(name), atMostMs);
    results.push({ name, ...result });
    if (how === 'interrupted') break;
    if (how === 'killed') whenKilled(name, result.error);
  }
  return results;
}

/** `{ metrics, worse }`, or `{ error }` with the reason in a few words; and how it ended. */
async function runOne([program, ...words], atMostMs) {
  // A group of its own, so that what the bench has started ends with it.
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  let isLate = false;
  let isInterrupted = false;
  const endGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended by itself.
    }
  };
  let killing;
  // What has left the group may hold the output open for ever.
  const letGo = () => {
    if (isLate && (child.exitCode ?? child.signalCode) !== null) child.stdout.destroy();
  };
  const timer = setTimeout(() => {
    isLate = true;
    // Asked first: a bench that still listens ends its database, which is in a group of its own.
    endGroup('SIGTERM');
    killing = setTimeout(() => endGroup('SIGKILL'), ASKED_MS);
    letGo();
  }, atMostMs);
  child.once('exit', letGo);
  const interrupted = (signal) => {
    isInterrupted = true;
    endGroup(signal);
  };
  for (const signal of signals) process.once(signal, interrupted);
  const { code, signal: endedBy } = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: error.message, signal: null }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  clearTimeout(timer);
  clearTimeout(killing);
  for (const signal of signals) process.off(signal, interrupted);
  if (isInterrupted) return { how: 'interrupted', error: 'interrupted' };
  const how = endedBy === null ? 'ended' : 'killed';
  if (isLate) return { how, error: `not done after ${Math.round(atMostMs / 1000)} s` };
  if (endedBy !== null) return { how, error: `ended by ${endedBy}` };
  return { how, ...(figuresOf(out) ?? { error: `ended with ${code} and no figures` }) };
}

function figuresOf(out) {
  try {
    const { metrics, worse } = JSON.parse(out.trimEnd().split('\n').at(-1));
    return metrics === undefined ? undefined : { metrics, worse };
  } catch {
    return undefined;
  }
}

/** The figures of all of them, those that got worse, and the benches without any. */
export function resultLines(results, benches) {
  return results.flatMap(({ name, metrics, worse, error }) => [
    name,
    ...(error === undefined
      ? [
          ...Object.entries(metrics).map(([metric, figure]) =>
            metricLine(metric, figure, benches[name].limits[metric]),
          ),
          ...worse.map((line) => `  WORSE: ${line}`),
        ]
      : [`  FAILED: ${error}`]),
  ]);
}
