const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const THOUSAND = 1000;

/** Bytes in the largest decimal unit that leaves a whole part, three digits long; rounding up never shows `1,000 MB`. */
export function byteSize(bytes: number): { value: number; unit: (typeof units)[number] } {
  let step = 0;
  const inUnit = () => Number((bytes / THOUSAND ** step).toPrecision(3));
  while (step < units.length - 1 && inUnit() >= THOUSAND) step += 1;
  return { value: step === 0 ? bytes : bytes / THOUSAND ** step, unit: units[step] ?? 'B' };
}
