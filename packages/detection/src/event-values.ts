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
};

export function readEvent(event: ParsedEvent, readers: readonly FieldReader[]): EventValues {
  const raw: (readonly unknown[] | undefined)[] = [];
  const texts: (readonly string[] | undefined)[] = [];
  const lowered: (readonly string[] | undefined)[] = [];
  const addresses: (readonly IpAddress[] | undefined)[] = [];

  function rawAt(slot: number): readonly unknown[] {
    const known = raw[slot];
    if (known !== undefined) return known;
    const read = readers[slot]?.(event) ?? [];
    raw[slot] = read;
    return read;
  }
  function textsAt(slot: number): readonly string[] {
    const known = texts[slot];
    if (known !== undefined) return known;
    const made = textsOf(rawAt(slot));
    texts[slot] = made;
    return made;
  }
  return {
    has: (slot) => rawAt(slot).length > 0,
    texts: textsAt,
    lowered(slot) {
      const known = lowered[slot];
      if (known !== undefined) return known;
      const made = textsAt(slot).map((text) => text.toLowerCase());
      lowered[slot] = made;
      return made;
    },
    addresses(slot) {
      const known = addresses[slot];
      if (known !== undefined) return known;
      const made = textsAt(slot).flatMap((text) => parseIpAddress(text) ?? []);
      addresses[slot] = made;
      return made;
    },
  };
}
