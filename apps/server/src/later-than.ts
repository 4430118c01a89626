/**
 * When something was changed that carries the time of its last change: two changes within a millisecond, or a clock put
 * back, must not leave the time at which a third one was made.
 */
export function laterThan(before: Date, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}
