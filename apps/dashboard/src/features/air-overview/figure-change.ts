/** More than this many percent is no change but a beginning: the period before was hardly watched. */
const PERCENT_MAX = 999;

/** How much a figure changed in percent; undefined where there was nothing before, or nothing changed to speak of. */
export function changeOf(
  now: number | null,
  before: number | null,
): { readonly percent: number; readonly more: boolean } | undefined {
  if (now === null || before === null || before === 0) return undefined;
  const percent = Math.round((100 * Math.abs(now - before)) / before);
  return percent === 0 || percent > PERCENT_MAX ? undefined : { percent, more: now > before };
}
