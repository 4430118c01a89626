export const lengthUnits = ['seconds', 'minutes', 'hours', 'days'] as const;
export type TypedLength = { amount: string; unit: (typeof lengthUnits)[number] };

const secondsIn: Readonly<Record<TypedLength['unit'], number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

/** Seconds in the largest unit in which they are a whole number; nothing typed for what is no number. */
export function lengthParts(seconds: number): TypedLength {
  if (!Number.isFinite(seconds)) return { amount: '', unit: 'minutes' };
  const unit =
    lengthUnits.findLast((each) => seconds >= secondsIn[each] && seconds % secondsIn[each] === 0) ?? 'seconds';
  return { amount: String(seconds / secondsIn[unit]), unit };
}

/** Seconds, or NaN for what is no whole number. */
export function readLength({ amount, unit }: TypedLength): number {
  return /^\d{1,9}$/.test(amount) ? Number(amount) * secondsIn[unit] : Number.NaN;
}
