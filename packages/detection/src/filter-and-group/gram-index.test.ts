import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGramIndex } from './gram-index.ts';

const letters = fc.constantFrom(...'abAB\\.é😀');
const part = fc.string({ unit: letters, minLength: 4, maxLength: 8 });

test('finds exactly the texts that are part of the searched one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(part, { minLength: 1, maxLength: 3 })),
      fc.string({ unit: letters }),
      fc.string(),
      (lists, text, tail) => {
        const index = createGramIndex(lists.map((texts, item) => ({ texts, item })));
        for (const searched of [text, ...lists.map((texts) => `${text}${texts[0]}${tail}`)]) {
          const found = new Set<number>();
          index.collect(searched, found);
          const needed = lists.flatMap((texts, item) => (texts.some((one) => searched.includes(one)) ? [item] : []));
          expect([...found].sort()).toEqual(needed.sort());
        }
      },
    ),
  );
});

test('texts with a common ending do not answer for each other', () => {
  const tools = Array.from({ length: 200 }, (_, item) => ({ texts: [`\\tool-${item + 100}.exe`], item }));
  const found = new Set<number>();
  createGramIndex(tools).collect('c:\\windows\\tool-142.exe', found);
  expect(found).toContain(42);
  expect(found.size).toBeLessThan(10);
});

test('a text too short to be found is refused', () => {
  expect(() => createGramIndex([{ texts: ['abc'], item: 1 }])).toThrow(RangeError);
});
