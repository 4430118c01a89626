/**
 * What somebody tries who knows how people lengthen a password: the word in it without the digits and signs around it,
 * with letters in place of the signs that look like them; whether it is one thing repeated, or only follows the keys.
 */

/** More digits and signs than these around a word are something of their own. */
const AROUND_MAX = 8;
/** Shorter parts are in too many honest passwords. */
const WORD_MIN = 4;
/** Repeating what is shorter than a password may be does not make it one. */
const REPEATED_MAX = 11;
/** Fewer characters than these beside runs along the keys are what is left to guess. */
const LOOSE_MIN = 6;
const RUN_MIN = 3;

const SEPARATORS = /[\s._-]/gu;
const NO_LETTERS = /^[^\p{L}]*/u;
const NO_LETTERS_AT_END = /[^\p{L}]*$/u;

/** `1` and `!` stand for two letters, so there are two ways to read a text. */
const looksLike: readonly Readonly<Record<string, string>>[] = ['i', 'l'].map((one) => ({
  ...{ '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's' },
  ...{ '1': one, '!': one, '|': one },
}));

/** Keys beside each other, and below each other as people walk down them. */
const keyRows = [
  ...['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'abcdefghijklmnopqrstuvwxyz'],
  ...['qwertzuiop', 'yxcvbnm', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  ...['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm', '8ik', '9ol'],
] as const;
const shifted = '!@#$%^&*()';

const following = new Set(keyRows.flatMap(pairsOf));
const preceding = new Set(keyRows.flatMap((row) => pairsOf([...row].reverse().join(''))));

/** Without what only keeps words apart. */
export function together(text: string): string {
  return text.replaceAll(SEPARATORS, '');
}

/** The texts in lower case that a password is no better than; the password itself among them. */
export function guessesFor(password: string): ReadonlySet<string> {
  const whole = password.toLowerCase();
  const joined = together(whole);
  const before = Math.min(NO_LETTERS.exec(joined)?.[0].length ?? 0, AROUND_MAX);
  const after = Math.min(NO_LETTERS_AT_END.exec(joined)?.[0].length ?? 0, AROUND_MAX);
  const guesses = new Set([whole]);
  for (let from = 0; from <= before; from++) {
    for (let left = 0; left <= after && from + left <= AROUND_MAX; left++) {
      const word = joined.slice(from, joined.length - left);
      if (word.length < WORD_MIN) continue;
      guesses.add(word);
      for (const letters of looksLike) guesses.add(word.replaceAll(/./gu, (sign) => letters[sign] ?? sign));
    }
  }
  return guesses;
}

/** `aaaaaaaaaaaa`, `123123123123`, `tulip tulip tulip`, also with something behind it. */
export function isOneThingRepeated(password: string): boolean {
  const whole = password.toLowerCase();
  const joined = together(whole);
  const bare = joined.replace(NO_LETTERS, '').replace(NO_LETTERS_AT_END, '');
  const texts = joined.length - bare.length <= AROUND_MAX ? [whole, joined, bare] : [whole, joined];
  return texts.some((text) => [...Array(REPEATED_MAX).keys()].some((length) => repeats(text, length + 1)));
}

function repeats(text: string, length: number): boolean {
  return text.length >= 2 * length && text.length > WORD_MIN && text.slice(length) === text.slice(0, -length);
}

/** `qwertyuiop12`, `1qaz2wsx3edc`, `abcdefgh1234`: nearly nothing in it that is not beside what came before. */
export function followsKeys(password: string): boolean {
  const text = [...together(password.toLowerCase())]
    .map((sign) => '1234567890'[shifted.indexOf(sign)] ?? sign)
    .join('');
  let loose = 0;
  for (let at = 0; at < text.length; ) {
    const length = Math.max(runFrom(text, at, following), runFrom(text, at, preceding), sameFrom(text, at));
    if (length < RUN_MIN) loose += 1;
    at += length < RUN_MIN ? 1 : length;
  }
  return loose < LOOSE_MIN;
}

function runFrom(text: string, from: number, pairs: ReadonlySet<string>): number {
  let end = from + 1;
  while (pairs.has(text.slice(end - 1, end + 1))) end += 1;
  return end - from;
}

function sameFrom(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && text[end] === text[from]) end += 1;
  return end - from;
}

function pairsOf(row: string): string[] {
  return [...row].slice(1).map((key, at) => `${row[at]}${key}`);
}
