/** Length of the pieces texts are looked up by. */
export const GRAM_CHARS = 4;

const SLOTS = 65_536;

/** Finds which of many texts may stand in another one, in one pass over it. */
export interface GramIndex<Item> {
  /** Adds to `found` the items one of whose texts may be part of `text`. May name too many, never too few. */
  collect(text: string, found: Set<Item>): void;
}

/**
 * Each text is filed under one of its pieces of four characters, the one that is rarest among all texts, so that
 * `\powershell.exe` waits under `rshe` rather than under `.exe`. A table of hashes answers "no" for nearly all pieces of
 * a text that is searched, without making a string of them.
 *
 * @throws RangeError for a text shorter than `GRAM_CHARS`
 */
export function createGramIndex<Item>(entries: readonly { texts: readonly string[]; item: Item }[]): GramIndex<Item> {
  const frequency = new Map<string, number>();
  for (const { texts } of entries) {
    for (const gram of new Set(texts.flatMap(gramsOf))) frequency.set(gram, (frequency.get(gram) ?? 0) + 1);
  }
  const items = new Map<string, Item[]>();
  const present = new Uint8Array(SLOTS);
  for (const { texts, item } of entries) {
    for (const text of texts) {
      const gram = rarestOf(gramsOf(text), frequency);
      present[hashAt(gram, 0)] = 1;
      const filed = items.get(gram);
      if (filed === undefined) items.set(gram, [item]);
      else if (filed.at(-1) !== item) filed.push(item);
    }
  }
  return {
    collect(text, found) {
      for (let at = 0; at + GRAM_CHARS <= text.length; at += 1) {
        if (present[hashAt(text, at)] === 0) continue;
        for (const item of items.get(text.slice(at, at + GRAM_CHARS)) ?? []) found.add(item);
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

function hashAt(text: string, at: number): number {
  let hash = text.charCodeAt(at);
  for (let offset = 1; offset < GRAM_CHARS; offset += 1) hash = Math.imul(hash, 31) + text.charCodeAt(at + offset);
  return hash & (SLOTS - 1);
}
