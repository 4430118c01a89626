import { plainLetters } from '../lib/plain-letters.ts';

/** One line of the palette. */
export type Entry = {
  readonly id: string;
  readonly label: string;
  /** What kind of thing it is, or more about it. */
  readonly more?: string;
  /** Found by these too. */
  readonly words?: string;
  readonly keys?: readonly string[];
  readonly run: () => void;
};
export type EntryGroup = { readonly title: string; readonly entries: readonly Entry[] };

/** Lines of one group that show at a time; the first group with hits has more room. */
const PER_GROUP = 6;

/** Groups with what fits every word of the query, best first; all of a group that needs no query without one. */
export function fittingGroups(groups: readonly EntryGroup[], query: string): EntryGroup[] {
  const words = plainLetters(query).split(/\s+/).filter(Boolean);
  return groups
    .map(({ title, entries }) => ({ title, entries: fitting(entries, words).slice(0, PER_GROUP) }))
    .filter(({ entries }) => entries.length > 0);
}

function fitting(entries: readonly Entry[], words: readonly string[]): Entry[] {
  if (words.length === 0) return [...entries];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ entry }) => entry);
}

/** Zero when a word is missing; more for words that begin the label, then for words in it. */
function rankOf({ label, more = '', words: others = '' }: Entry, words: readonly string[]): number {
  const name = plainLetters(label);
  const rest = plainLetters(`${more} ${others}`);
  let rank = 0;
  for (const word of words) {
    if (name.startsWith(word)) rank += 4;
    else if (name.includes(` ${word}`)) rank += 3;
    else if (name.includes(word)) rank += 2;
    else if (rest.includes(word)) rank += 1;
    else return 0;
  }
  return rank;
}
