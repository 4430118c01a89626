import { plainLetters } from '../../../lib/plain-letters.ts';

/** The name that is being typed after an at sign, and where the sign stands; undefined elsewhere in the text. */
export function mentionAt(text: string, caret: number): { start: number; typed: string } | undefined {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf('@');
  if (start === -1 || /[\w@.]/.test(before[start - 1] ?? '')) return undefined;
  const typed = before.slice(start + 1);
  return /^[\w.+'-]{0,64}$/.test(typed) ? { start, typed } : undefined;
}

type Person = { uname: string; fullname: string };

const OFFERED_MAX = 6;

/** People whose name or username begins like what was typed, the beginning of a username first. */
export function peopleLike<T extends Person>(people: readonly T[], typed: string): T[] {
  const wanted = plainLetters(typed);
  const rank = ({ uname, fullname }: Person) => {
    if (plainLetters(uname).startsWith(wanted)) return 0;
    return plainLetters(fullname)
      .split(/\s+/)
      .some((word) => word.startsWith(wanted))
      ? 1
      : 2;
  };
  return people
    .filter((person) => rank(person) < 2)
    .toSorted((a, b) => rank(a) - rank(b) || a.fullname.localeCompare(b.fullname))
    .slice(0, OFFERED_MAX);
}

/** The text with the mention filled in, and where the caret goes. */
export function withMention(
  text: string,
  { start, typed }: { start: number; typed: string },
  uname: string,
): { text: string; caret: number } {
  const filled = `${text.slice(0, start)}@${uname} `;
  return { text: filled + text.slice(start + 1 + typed.length).replace(/^ /, ''), caret: filled.length };
}
