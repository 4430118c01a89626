/** One figure from several measurements: their median, and the distance from the least to the greatest. */
export function metricOf(values, unit) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const value = sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { value: toThousandths(value), unit, spread: toThousandths(sorted.at(-1) - sorted[0]) };
}

/** What is kept and judged: 150.4 is over 150. */
function toThousandths(value) {
  return Math.round(value * 1000) / 1000;
}

/** `undefined` for a figure without a limit. */
export function isWithin({ value }, limit) {
  if (limit === undefined) return undefined;
  return limit.atMost === undefined ? value >= limit.atLeast : value <= limit.atMost;
}

export function metricLine(name, metric, limit) {
  const within = isWithin(metric, limit);
  const verdict = within === undefined ? '' : within ? 'ok' : 'OVER THE LIMIT';
  const bound = limit === undefined ? '' : limit.atMost === undefined ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`;
  const spread = metric.spread > 0 ? `± ${shownFigure(metric.spread / 2)}` : '';
  return `  ${name.padEnd(30)} ${`${shownFigure(metric.value)} ${metric.unit}`.padStart(18)} ${spread.padEnd(10)} ${bound.padEnd(10)} ${verdict}`;
}

/** As people read it. What was judged is finer, so a figure a hair over its limit can look like the limit; the verdict counts. */
export function shownFigure(value) {
  return Math.abs(value) >= 1000 ? Math.round(value * 10) / 10 : Math.round(value * 100) / 100;
}
