import { describe, expect, it } from 'vitest';
import { sinks } from './sinks.ts';
import { listFiles } from './source-files.ts';
import { isTestCode } from './test-code.ts';

const files = listFiles(/^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/);
const texts = new Map(files.map(({ path, text }) => [path, text]));
/** What runs for people: not tests, benches, players of vendors and the demo. */
const sources = files.filter(
  ({ path }) => !isTestCode(path) && !path.startsWith('packages/simulator/') && !path.endsWith('.gen.ts'),
);

describe.each(sinks)('$what', ({ mark, files: known, tried }) => {
  it('is met where the table says, so that a new place has to say what it does with hostile text', () => {
    expect(
      sources
        .filter(({ text }) => mark.test(text))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(known.toSorted());
  });

  it('is tried with a payload', () => {
    const without = Object.entries(tried).filter(([path, payload]) => !payload.test(texts.get(path) ?? ''));
    expect(without.map(([path]) => path)).toEqual([]);
    expect(Object.keys(tried)).not.toEqual([]);
  });
});
