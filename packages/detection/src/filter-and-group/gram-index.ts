/** Length of the pieces texts are looked up by. */
export const GRAM_CHARS = 4;

const SLOTS = 65_536;
/** What a character has become by the time it leaves a piece: 31 to the power of its length. */
const LEAVING = 31 ** GRAM_CHARS;

/** A text under one of its pieces; `before` is how many characters it has before the piece. */
type Filed<Item> = { readonly text: string; readonly before: number; readonly items: readonly Item[] };

/** Finds which of many texts stand in another one, in one pass over it. */
export interface GramIndex<Item> {
  /** Adds to `found` the items one of whose texts is part of `text`. */
  collect(text: string, found: Set<Item>): void;
}

/**
 * Each text is filed under one of its pieces of four characters, the one that is rarest among all texts, so that
 * `\powershell.exe` waits under `rshe` rather than under `.exe`. A table of hashes answers "no" for nearly all pieces of
 * a text that is searched, without making a string of them; where a piece is there, the whole text is compared in place.
 *
 * @throws RangeError for a text shorter than `GRAM_CHARS`
 */
export function createGramIndex<Item>(entries: readonly { texts: readonly string[]; item: Item }[]): GramIndex<Item> {
  const frequency = new Map<string, number>();
  for (const { texts } of entries) {
    for (const gram of new Set(texts.flatMap(gramsOf))) frequency.set(gram, (frequency.get(gram) ?? 0) + 1);
  }
  const byText = new Map<string, Item[]>();
  for (const { texts, item } of entries) {
    for (const text of new Set(texts)) {
      const same = byText.get(text);
      if (same === undefined) byText.set(text, [item]);
      else same.push(item);
    }
  }
  const filed = new Map<string, Filed<Item>[]>();
  const present = new Uint8Array(SLOTS);
  for (const [text, items] of byText) {
    const gram = rarestOf(gramsOf(text), frequency);
    present[hashOf(gram)] = 1;
    const one = { text, before: text.indexOf(gram), items };
    const others = filed.get(gram);
    if (others === undefined) filed.set(gram, [one]);
    else others.push(one);
  }
  return {
    collect(text, found) {
      let hash = 0;
      for (let end = 0; end < text.length; end += 1) {
        // What leaves the piece is taken out of its hash again, so that every character is looked at twice, not four times.
        const leaving = end < GRAM_CHARS ? 0 : text.charCodeAt(end - GRAM_CHARS);
        hash = (Math.imul(hash, 31) + text.charCodeAt(end) - Math.imul(leaving, LEAVING)) | 0;
        if (end < GRAM_CHARS - 1 || present[hash & (SLOTS - 1)] === 0) continue;
        const start = end + 1 - GRAM_CHARS;
        for (const one of filed.get(text.slice(start, end + 1)) ?? []) {
          if (start < one.before || !text.startsWith(one.text, start - one.before)) continue;
          for (const item of one.items) found.add(item);
        }
      }
    },
  };
}

function gramsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - GRAM_CHARS + 1) }, (_, at) => text.slice(at, at + GRAM_CHARS));
}

function rarestOf(grams: readonly string[], frequency: ReadonlyMap<string, number>): string {
  const [first, ...others] = grams;
  if (first === undefined) throw new RangeError(`A text needs at least ${GRAM_CHARS} characters.`);
  return others.reduce((best, gram) => ((frequency.get(gram) ?? 0) < (frequency.get(best) ?? 0) ? gram : best), first);
}

/** Of one piece; `collect` reckons the same along a text. */
function hashOf(gram: string): number {
  let hash = 0;
  for (let at = 0; at < GRAM_CHARS; at += 1) hash = (Math.imul(hash, 31) + gram.charCodeAt(at)) | 0;
  return hash & (SLOTS - 1);
}
