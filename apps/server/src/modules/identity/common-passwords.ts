/**
 * Passwords that were found in leaks, so often that they are tried first: all 43,940 of twelve and more characters among
 * the million most frequent of ten million leaked ones, and the 11,179 words among the first twenty thousand, which
 * people lengthen. In lower case, as the first bytes of their hashes, sorted. Made by `tools/make-common-passwords.ts`,
 * which names the source.
 */
import { commonPasswordMarks } from './common-passwords.gen.ts';
import { MARK_BYTES, passwordMark } from './password-mark.ts';

const marks = Buffer.from(commonPasswordMarks, 'base64');

/** How many there are. */
export const commonPasswords = marks.length / MARK_BYTES;

/** Of a text in lower case. */
export function isCommonPassword(text: string): boolean {
  const wanted = passwordMark(text).readUIntBE(0, MARK_BYTES);
  let low = 0;
  let high = commonPasswords;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = marks.readUIntBE(middle * MARK_BYTES, MARK_BYTES);
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle;
  }
  return false;
}
