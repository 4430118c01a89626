export const durationUnits = ['seconds', 'minutes', 'hours', 'days'] as const;
export type DurationUnit = (typeof durationUnits)[number];

const secondsIn: Readonly<Record<DurationUnit, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

/** Seconds in the largest unit in which they are a whole number. */
export function durationParts(seconds: number): { amount: number; unit: DurationUnit } {
  const unit = durationUnits.findLast((each) => seconds >= secondsIn[each] && seconds % secondsIn[each] === 0);
  return { amount: seconds / secondsIn[unit ?? 'seconds'], unit: unit ?? 'seconds' };
}

/** Of larger units whole ones: 1.1 hours are 3,960.0000000000005. */
export function secondsOf(amount: number, unit: DurationUnit): number {
  const seconds = amount * secondsIn[unit];
  return unit === 'seconds' ? seconds : Math.round(seconds);
}
