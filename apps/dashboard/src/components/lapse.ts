/** Seconds from start to end, or to now while there is no end; null before the start. Clocks that differ give no minus. */
export function lapseS(start: string | null, end: string | null, now: Date): number | null {
  if (start === null) return null;
  const until = end === null ? now.getTime() : Date.parse(end);
  return Math.max(0, until - Date.parse(start)) / 1000;
}
