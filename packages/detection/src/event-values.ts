import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { compileField, type FieldReader, textsOf } from './field-values.ts';
import { type IpAddress, parseIpAddress } from './ip-range.ts';

/** Numbers the fields a set of policies names, so that every event is read at most once per field. */
export type FieldSlots = { readonly slotOf: (name: string) => number; readonly readers: readonly FieldReader[] };

export function createFieldSlots(): FieldSlots {
  const slots = new Map<string, number>();
  const readers: FieldReader[] = [];
  return {
    readers,
    slotOf(name) {
      const known = slots.get(name);
      if (known !== undefined) return known;
      slots.set(name, readers.length);
      return readers.push(compileField(name)) - 1;
    },
  };
}

/** One event as all policies see it; what is worked out for one policy is kept for the next. */
export type EventValues = {
  /** Whether the field is there at all, also as an object. */
  has(slot: number): boolean;
  texts(slot: number): readonly string[];
  /** The texts in lower case. */
  lowered(slot: number): readonly string[];
  addresses(slot: number): readonly IpAddress[];
  /** Says that a comparison took so much work: characters times parts of regular expressions. */
  spend(work: number): void;
  /** What was spent since the last call. */
  spent(): number;
};

export function readEvent(event: ParsedEvent, readers: readonly FieldReader[]): EventValues {
  return new ReadOnce(event, readers);
}

/** A class, because one is made for every event: functions of its own for each would cost more than what they do. */
class ReadOnce implements EventValues {
  readonly #event: ParsedEvent;
  readonly #readers: readonly FieldReader[];
  readonly #raw: (readonly unknown[] | undefined)[] = [];
  readonly #texts: (readonly string[] | undefined)[] = [];
  readonly #lowered: (readonly string[] | undefined)[] = [];
  readonly #addresses: (readonly IpAddress[] | undefined)[] = [];
  #work = 0;

  constructor(event: ParsedEvent, readers: readonly FieldReader[]) {
    this.#event = event;
    this.#readers = readers;
  }

  has(slot: number): boolean {
    return this.#rawAt(slot).length > 0;
  }

  texts(slot: number): readonly string[] {
    const known = this.#texts[slot];
    if (known !== undefined) return known;
    const made = textsOf(this.#rawAt(slot));
    this.#texts[slot] = made;
    return made;
  }

  lowered(slot: number): readonly string[] {
    const known = this.#lowered[slot];
    if (known !== undefined) return known;
    const made = this.texts(slot).map((text) => text.toLowerCase());
    this.#lowered[slot] = made;
    return made;
  }

  addresses(slot: number): readonly IpAddress[] {
    const known = this.#addresses[slot];
    if (known !== undefined) return known;
    const made = this.texts(slot).flatMap((text) => parseIpAddress(text) ?? []);
    this.#addresses[slot] = made;
    return made;
  }

  spend(work: number): void {
    this.#work += work;
  }

  spent(): number {
    const work = this.#work;
    this.#work = 0;
    return work;
  }

  #rawAt(slot: number): readonly unknown[] {
    const known = this.#raw[slot];
    if (known !== undefined) return known;
    const read = this.#readers[slot]?.(this.#event) ?? [];
    this.#raw[slot] = read;
    return read;
  }
}
