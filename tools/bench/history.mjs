import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../run/root.mjs';
import { isWithin, metricOf, shownFigure } from './metrics.mjs';

export const historyFile = fileURLToPath(new URL('../../bench/history.jsonl', import.meta.url));

const SHOWN = 10;
const ERROR_LENGTH = 300;

/** One run of a bench as it is kept: with its figures, or with why it has none. Keys always come in this order. */
export function historyEntry({ at, source, name, full, machine, calibration, metrics, limits, error }) {
  const { date: _date, ...hardware } = machine;
  return {
    at: at.toISOString(),
    commit: source.commit,
    changed: source.changed,
    bench: name,
    full,
    machine: hardware,
    calibration,
    // Where somebody's clone lies is nobody's business.
    ...(error === undefined
      ? { metrics: judged(metrics, limits) }
      : { error: error.replaceAll(root, '').slice(0, ERROR_LENGTH) }),
  };
}

function judged(metrics, limits) {
  return Object.fromEntries(
    Object.entries(metrics).map(([metric, figure]) => {
      const within = isWithin(figure, limits[metric]);
      return [metric, { ...figure, ...(within === undefined ? {} : { within }) }];
    }),
  );
}

export function appendHistory(entry, file = historyFile) {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** Every run that was kept, oldest first. Throws for a line that is none. */
export function readHistory(file = historyFile) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch (cause) {
      throw new Error(`Line ${index + 1} of ${file} is not JSON.`, { cause });
    }
  });
}

/** What the figures come from; null where this is no clone. */
export function sourceState(folder) {
  const git = (...words) => execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    // The history itself changes with every run.
    const changed = git('status', '--porcelain', '--', '.', ':(exclude)bench').length > 0;
    return { commit: git('rev-parse', '--short=10', 'HEAD'), changed };
  } catch {
    return { commit: null, changed: null };
  }
}

/**
 * The last runs of each figure, oldest first, with their median and spread. A figure that depends on the speed of the machine
 * comes a second time, as if every run had met the median machine: a time divided by how slow the machine was, a rate times it.
 */
export function historyLines(entries, name) {
  const runs = entries.filter((entry) => entry.bench === name).slice(-SHOWN);
  if (runs.length === 0) return [`No run of ${name} is kept.`];
  const lines = runs.map((run) => {
    const { cpu_ms: cpu, fsync_ms: fsync } = run.calibration.before ?? run.calibration.after;
    const commit = `${run.commit ?? 'no commit'}${run.changed ? ' with changes' : ''}`;
    const more = [run.full ? '--full' : [], run.error === undefined ? [] : `failed: ${run.error}`].flat().join(' ');
    return `${run.at.slice(0, 16)}  ${commit.padEnd(24)} cpu ${cpu} ms, fsync ${fsync} ms  ${more}`.trimEnd();
  });
  const names = new Set(runs.flatMap(({ metrics = {} }) => Object.keys(metrics)));
  const measured = runs.filter(({ metrics }) => metrics !== undefined);
  const usualCpu = measured.length === 0 ? undefined : metricOf(measured.map(cpuOf), 'ms').value;
  for (const metric of names) {
    const figures = runs.map(({ metrics }) => metrics?.[metric]);
    const { unit } = figures.find((figure) => figure !== undefined);
    lines.push(
      figureRow(
        metric,
        figures.map((figure) => figure?.value),
        unit,
      ),
    );
    const power = speedPower(unit);
    if (power === 0) continue;
    const atUsual = figures.map((figure, index) =>
      figure === undefined ? undefined : figure.value * (cpuOf(runs[index]) / usualCpu) ** power,
    );
    lines.push(figureRow('  at the same speed of cpu', atUsual, unit));
  }
  return lines;
}

function figureRow(label, values, unit) {
  const known = values.filter((value) => value !== undefined);
  const all = metricOf(known, unit);
  const cells = values.map((value) => String(value === undefined ? '–' : shownFigure(value)).padStart(9));
  return `${label.padEnd(32)}${cells.join('')}   median ${`${shownFigure(all.value)} ${unit}`.trimEnd()}, spread ${shownFigure(all.spread)}`;
}

/** A time falls as the machine gets faster, a rate rises, and anything else stays. */
export function speedPower(unit) {
  if (unit === 'ms' || unit === 's') return -1;
  return unit.endsWith('/s') ? 1 : 0;
}

/** Of a run with figures: the speed may have changed while it ran. */
export function cpuOf({ calibration: { before, after } }) {
  return (before.cpu_ms + after.cpu_ms) / 2;
}
