import { createHash } from 'node:crypto';

/** Of 48 bits: that a text is on a list of 55,000 by accident happens once in five thousand million times. */
export const MARK_BYTES = 6;

/** What stands for a text in the list of common passwords. */
export function passwordMark(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, MARK_BYTES);
}
