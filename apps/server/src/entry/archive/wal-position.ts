/** Positions in PostgreSQL's log, and the files it is divided into. */

/** What initdb makes, and this product never changes. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
const SEGMENT = BigInt(SEGMENT_BYTES);
const SEGMENTS_PER_ID = 0x1_0000_0000n / SEGMENT;

/** As PostgreSQL writes it: `1/6B3740`. */
export function parsePosition(text: string): bigint {
  const [, high = '', low = ''] = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/.exec(text) ?? [];
  if (low === '') throw new Error(`${JSON.stringify(text)} is not a position in the log`);
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

export function formatPosition(position: bigint): string {
  return `${(position >> 32n).toString(16).toUpperCase()}/${(position & 0xffff_ffffn).toString(16).toUpperCase()}`;
}

/** Start of the file that holds the position. */
export function segmentStart(position: bigint): bigint {
  return position - (position % SEGMENT);
}

export function segmentName(timeline: number, position: bigint): string {
  const number = position / SEGMENT;
  return [BigInt(timeline), number / SEGMENTS_PER_ID, number % SEGMENTS_PER_ID]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
}

export const SEGMENT_NAME = /^[0-9A-F]{24}$/;

export function startOfSegment(name: string): bigint {
  return (BigInt(`0x${name.slice(8, 16)}`) * SEGMENTS_PER_ID + BigInt(`0x${name.slice(16)}`)) * SEGMENT;
}

export function timelineOf(name: string): number {
  return Number.parseInt(name.slice(0, 8), 16);
}
