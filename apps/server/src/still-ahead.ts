/**
 * Whether the end of something is still to come that was to last so long from when it began. One further ahead than that was
 * set before the clock was put back, and is over: two seconds must not become an hour.
 */
export function isStillAhead(end: number, { at, lastsMs }: { at: number; lastsMs: number }): boolean {
  return end > at && end - at <= lastsMs;
}
