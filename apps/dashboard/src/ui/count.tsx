import { numberFormat, useReader } from './reader.ts';

/** A count as the reader writes numbers. */
export function Count({ value }: { value: number }) {
  return numberFormat(useReader()).format(value);
}
