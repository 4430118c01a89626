import { cpuOf, speedPower } from './history.mjs';
import { metricOf } from './metrics.mjs';

const COMPARED = 5;
const ENOUGH = 3;
const WORSE_BY = 1.1;

/**
 * Figures of a run that got worse: by more than a tenth against the median of the last five runs like it (same bench, size and
 * machine, nothing uncommitted), and worse than each of them; times and rates also as if those had met a processor of this speed.
 * Nothing where there are fewer than three. Without a limit that says which way is better, times should fall and rates rise.
 */
export function regressionLines(earlier, run, limits) {
  const alike = earlier.filter((one) => isAlike(one, run)).slice(-COMPARED);
  if (run.metrics === undefined || alike.length < ENOUGH) return [];
  return Object.entries(run.metrics).flatMap(([name, { value, unit }]) => {
    const power = speedPower(unit);
    const risesAreBad = limits[name] === undefined ? power === -1 : limits[name].atMost !== undefined;
    const known = alike.filter(({ metrics }) => metrics[name] !== undefined);
    if ((limits[name] === undefined && power === 0) || known.length < ENOUGH) return [];
    const raw = known.map(({ metrics }) => metrics[name].value);
    const atThisSpeed = known.map((one, index) => raw[index] * (cpuOf(one) / cpuOf(run)) ** power);
    const isWorse = (values) => {
      const worst = risesAreBad ? Math.max(...values) : Math.min(...values);
      const usual = metricOf(values, unit).value;
      return risesAreBad ? value > worst && value > usual * WORSE_BY : value < worst && value * WORSE_BY < usual;
    };
    if (!isWorse(raw) || !isWorse(atThisSpeed)) return [];
    const { value: usual } = metricOf(raw, unit);
    return `${name}: ${usual} to ${`${value} ${unit}`.trimEnd()}, worse than each of the last ${known.length} runs here`;
  });
}

function isAlike(one, run) {
  return (
    one.bench === run.bench &&
    one.full === run.full &&
    one.changed === false &&
    one.metrics !== undefined &&
    one.at < run.at &&
    JSON.stringify(one.machine) === JSON.stringify(run.machine)
  );
}
