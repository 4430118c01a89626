import { plainLetters } from '../../lib/plain-letters.ts';

/** Whether every word is somewhere in the texts, whatever the case or the accents. */
export function hasWords(q: string | undefined, texts: readonly string[]): boolean {
  const text = plainLetters(texts.join('\n'));
  return plainLetters(q ?? '')
    .split(/\s+/)
    .every((word) => text.includes(word));
}
