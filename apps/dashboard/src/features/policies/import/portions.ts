import type { RuleFile } from './read-files.ts';

/** What one call takes with room to spare: its body may have a megabyte, and a thousand files. */
const PORTION_BYTES = 700_000;
const PORTION_FILES = 1_000;

/**
 * Files in portions that fit into one call each. Rules that count other rules must be in the portion of those, so files
 * stay in the order of their folders.
 */
export function portionsOf(files: readonly RuleFile[]): RuleFile[][] {
  const portions: RuleFile[][] = [];
  let bytes = 0;
  for (const file of files) {
    const size = sizeOf(file);
    const last = portions.at(-1);
    if (last === undefined || bytes + size > PORTION_BYTES || last.length >= PORTION_FILES) {
      portions.push([file]);
      bytes = size;
    } else {
      last.push(file);
      bytes += size;
    }
  }
  return portions;
}

/** Bytes in the body of the call. */
function sizeOf(file: RuleFile): number {
  return new TextEncoder().encode(JSON.stringify(file)).length + 1;
}
