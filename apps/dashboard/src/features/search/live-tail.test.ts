import { describe, expect, test } from 'vitest';
import { emptyTail, type Tail, tailAfter } from './live-tail.ts';
import { foundEvent } from './search-fixtures.ts';

const events = (...numbers: number[]) => numbers.map((number) => foundEvent(number));
const arrive = (tail: Tail, numbers: number[], held = false, leftOut = 0) =>
  tailAfter(tail, { type: 'arrived', events: events(...numbers), leftOut, held });
const messages = (list: Tail['shown']) => list.map(({ message }) => message);

describe('a live tail', () => {
  test('shows the newest first, and each event once though the server looks back a little', () => {
    const tail = arrive(arrive(emptyTail, [1, 2]), [2, 3]);
    expect(messages(tail.shown)).toEqual(['Event 3', 'Event 2', 'Event 1']);
    expect([...tail.fresh]).toEqual([foundEvent(3).id]);
  });

  test('that is held keeps what comes in, in order, and shows it when it is let go', () => {
    const held = arrive(arrive(arrive(emptyTail, [1]), [2], true), [2, 3], true);
    expect(messages(held.shown)).toEqual(['Event 1']);
    expect(messages(held.waiting)).toEqual(['Event 3', 'Event 2']);
    const released = tailAfter(held, { type: 'released' });
    expect(messages(released.shown)).toEqual(['Event 3', 'Event 2', 'Event 1']);
    expect(released.waiting).toEqual([]);
  });

  test('keeps a thousand, and counts what waited too long or was never sent', () => {
    const many = Array.from({ length: 1500 }, (_, index) => index + 10);
    const flooded = arrive(emptyTail, many, true, 7);
    expect([flooded.waiting.length, flooded.dropped, flooded.leftOut]).toEqual([1000, 500, 7]);
    expect(arrive(emptyTail, many).shown).toHaveLength(1000);
  });

  test('of another search starts from nothing', () => {
    expect(tailAfter(arrive(emptyTail, [1]), { type: 'restarted' })).toEqual(emptyTail);
  });
});
