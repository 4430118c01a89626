/** A text pattern in pieces: literal text, any text (`*`), one character (`?`). */
export type PatternPiece = { readonly text: string } | 'any' | 'one';

/**
 * Reads a pattern. `*` and `?` are wildcards; `\*`, `\?` and `\\` are the characters; a backslash before anything else is
 * a backslash, so that `C:\Windows\*` means what it looks like but for its end, which is a literal `*`.
 */
export function readPattern(pattern: string): PatternPiece[] {
  const pieces: PatternPiece[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') pieces.push({ text });
    text = '';
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const next = pattern.charAt(at + 1);
    if (character === '\\' && (next === '*' || next === '?' || next === '\\')) {
      text += next;
      at += 1;
    } else if (character === '*' || character === '?') {
      flush();
      // Several stars in a row say no more than one.
      if (character === '?' || pieces.at(-1) !== 'any') pieces.push(character === '*' ? 'any' : 'one');
    } else text += character;
  }
  flush();
  return pieces;
}

/** The pattern that `readPattern` turns into these pieces. */
export function writePattern(pieces: readonly PatternPiece[]): string {
  return pieces
    .map((piece) => {
      if (piece === 'any') return '*';
      return piece === 'one' ? '?' : piece.text.replaceAll(/[\\*?]/g, '\\$&');
    })
    .join('');
}

/**
 * Whether whole texts fit. Between two stars the first place that fits is taken, which is enough; the time is bounded by
 * the length of the text times that of the longest part between stars.
 */
export function compileWildcard(pieces: readonly PatternPiece[]): (text: string) => boolean {
  const sections = sectionsOf(pieces);
  const [first = [], ...others] = sections;
  const last = others.pop();
  if (last === undefined) return (text) => text.length === lengthOf(first) && fitsAt(text, first, 0);
  const lastLength = lengthOf(last);
  return (text) => {
    if (!fitsAt(text, first, 0)) return false;
    let at = lengthOf(first);
    for (const section of others) {
      const found = findSection(text, section, at);
      if (found === -1) return false;
      at = found + lengthOf(section);
    }
    const lastAt = text.length - lastLength;
    return lastAt >= at && fitsAt(text, last, lastAt);
  };
}

/**
 * Searches for one text it takes as long as; none, where only the ends of a text are looked at. A section between stars that
 * holds `?` is compared at every place of the text, character by character at worst; one without is found as texts are.
 */
export function searchesOf(pieces: readonly PatternPiece[]): number {
  const inner = sectionsOf(pieces).slice(1, -1);
  return inner.reduce((most, section) => Math.max(most, section.includes('one') ? lengthOf(section) : 1), 0);
}

/** What lies between stars: texts and single characters of known length. */
type Section = readonly Exclude<PatternPiece, 'any'>[];

function sectionsOf(pieces: readonly PatternPiece[]): Section[] {
  const sections: Exclude<PatternPiece, 'any'>[][] = [[]];
  for (const piece of pieces) {
    if (piece === 'any') sections.push([]);
    else sections.at(-1)?.push(piece);
  }
  return sections;
}

function lengthOf(section: Section): number {
  return section.reduce((sum, piece) => sum + (piece === 'one' ? 1 : piece.text.length), 0);
}

function fitsAt(text: string, section: Section, start: number): boolean {
  let at = start;
  for (const piece of section) {
    if (piece === 'one') at += 1;
    else if (text.startsWith(piece.text, at)) at += piece.text.length;
    else return false;
  }
  return at <= text.length;
}

function findSection(text: string, section: Section, from: number): number {
  const [first] = section;
  const last = text.length - lengthOf(section);
  for (let at = from; at <= last; at += 1) {
    if (first !== undefined && first !== 'one') {
      at = text.indexOf(first.text, at);
      if (at === -1 || at > last) return -1;
    }
    if (fitsAt(text, section, at)) return at;
  }
  return -1;
}
