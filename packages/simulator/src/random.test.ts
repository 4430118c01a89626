import { describe, expect, it } from 'vitest';
import { createRandom } from './random.ts';

describe('random numbers', () => {
  it('are the same for the same seed, on every machine', () => {
    const random = createRandom('airdeck');
    expect(Array.from({ length: 6 }, () => random.int(0, 999_999))).toMatchInlineSnapshot(`
      [
        941903,
        760769,
        553738,
        762353,
        149720,
        832663,
      ]
    `);
    expect(createRandom('a').hex(16)).toBe(createRandom('a').hex(16));
    expect(createRandom('a').hex(16)).not.toBe(createRandom('b').hex(16));
  });

  it('do not depend on what another purpose took', () => {
    const first = createRandom('seed');
    first.next();
    expect(first.fork('x').hex(16)).toBe(createRandom('seed').fork('x').hex(16));
    expect(first.fork('x').hex(16)).not.toBe(first.fork('y').hex(16));
  });

  it('cover their range evenly and stay inside it', () => {
    const random = createRandom('even');
    const counts = new Array<number>(10).fill(0);
    for (let index = 0; index < 20_000; index += 1) {
      const value = random.int(0, 9);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20_000);
    expect(Math.min(...counts)).toBeGreaterThan(1800);
    expect(Math.max(...counts)).toBeLessThan(2200);
  });

  it('make ids in the form of version 4', () => {
    expect(createRandom('id').uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
