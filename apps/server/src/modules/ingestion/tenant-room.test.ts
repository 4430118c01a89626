import { describe, expect, it } from 'vitest';
import { createByteBudget } from './byte-budget.ts';
import { createTenantRooms } from './tenant-room.ts';

/** As much as it gets, in pieces of ten. */
function fill(room: { take(bytes: number): boolean }): number {
  let taken = 0;
  while (room.take(10)) taken += 10;
  return taken;
}

describe('the room of a tenant', () => {
  it('is two thirds of all where nobody else is, and the next finds room whatever the first did', () => {
    const rooms = createTenantRooms(createByteBudget(1_200));
    const loud = fill(rooms.of('loud'));
    expect(loud).toBeGreaterThan(700);
    expect(loud).toBeLessThanOrEqual(820);
    expect(rooms.of('quiet').take(200)).toBe(true);
    expect(rooms.of('loud').take(10)).toBe(false);
  });

  it('is about the same for all who want as much as they can get', () => {
    const rooms = createTenantRooms(createByteBudget(10_000));
    const names = ['a', 'b', 'c'];
    const taken = new Map(names.map((name) => [name, 0]));
    for (let round = 0; round < 1_000; round++) {
      for (const name of names) if (rooms.of(name).take(10)) taken.set(name, (taken.get(name) ?? 0) + 10);
    }
    expect(Math.max(...taken.values()) - Math.min(...taken.values())).toBeLessThanOrEqual(20);
    expect(rooms.of('d').take(1_000)).toBe(true);
  });

  it('comes back with what is given back, and lets in alone what is larger than any share', () => {
    const budget = createByteBudget(1_000);
    const rooms = createTenantRooms(budget);
    expect(rooms.of('a').take(900)).toBe(true);
    expect(rooms.of('a').take(50)).toBe(false);
    rooms.of('a').give(900);
    expect(budget.used).toBe(0);
    expect(rooms.of('a').take(5_000)).toBe(true);
    rooms.of('a').give(5_000);
    expect(rooms.of('a').hasRoom(100)).toBe(true);
  });

  it('counts what the tenant announced and has not sent yet as if it had come: what is let in is never too much', () => {
    const rooms = createTenantRooms(createByteBudget(1_200));
    let expected = 0;
    while (rooms.of('a').hasRoom(10, expected)) expected += 10;
    expect(expected).toBeGreaterThan(700);
    for (let arrived = 0; arrived < expected; arrived += 10) expect(rooms.of('a').take(10)).toBe(true);
  });
});
