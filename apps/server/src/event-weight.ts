/**
 * Events differ in size by a factor of a thousand, so whatever takes many of them at once is bounded by their characters as
 * well. What an event becomes as JSON is known only once it is JSON: it is weighed by its texts, which costs nothing. Where
 * they are nothing but control characters it is six times as much.
 */
import type { StoredEvent } from '@airdeck/contracts/events/event';

/** Of an event without its texts. */
const EVENT_CHARACTERS = 1_000;

export function charactersOf({ message, raw }: Pick<StoredEvent, 'message' | 'raw'>): number {
  // The fields hold about what the text of the record does.
  return EVENT_CHARACTERS + message.length + 2 * raw.length;
}

export type PieceBounds<Item> = { items: number; characters: number; weigh: (item: Item) => number };

/** The list in pieces of so many items and about so many characters, at least one item each. */
export function* piecesOf<Item>(list: readonly Item[], bounds: PieceBounds<Item>): Generator<Item[], void> {
  let piece: Item[] = [];
  let characters = 0;
  for (const item of list) {
    const more = bounds.weigh(item);
    if (piece.length === bounds.items || (piece.length > 0 && characters + more > bounds.characters)) {
      yield piece;
      piece = [];
      characters = 0;
    }
    piece.push(item);
    characters += more;
  }
  if (piece.length > 0) yield piece;
}
