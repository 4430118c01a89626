import { expect, test } from 'vitest';
import { comparedVersions } from './compared-versions.ts';
import { diffParts } from './diff-parts.ts';

const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

test('a changed line stands between the lines around it; the rest is folded', () => {
  const before = numbered(20);
  const parts = diffParts(text(before), text(before.with(10, 'changed')));
  expect(parts).toEqual([
    { kind: 'folded', lines: 7 },
    { kind: 'same', lines: ['line 7', 'line 8', 'line 9'] },
    { kind: 'removed', lines: ['line 10'] },
    { kind: 'added', lines: ['changed'] },
    { kind: 'same', lines: ['line 11', 'line 12', 'line 13'] },
    { kind: 'folded', lines: 6 },
  ]);
});

test('no line is lost: shown and folded ones are those of the newer text', () => {
  const before = numbered(40);
  const after = [...before.slice(0, 5), 'new', ...before.slice(8, 30), 'other', ...before.slice(30)];
  const kept = diffParts(text(before), text(after)).reduce((sum, part) => {
    if (part.kind === 'removed') return sum;
    return sum + (part.kind === 'folded' ? part.lines : part.lines.length);
  }, 0);
  expect(kept).toBe(after.length);
});

test('equal texts are one fold', () => {
  expect(diffParts(text(numbered(9)), text(numbered(9)))).toEqual([{ kind: 'folded', lines: 9 }]);
});

test('without a wish the newest is compared with the one before it', () => {
  const versions = [{ version: 5 }, { version: 3 }, { version: 1 }];
  expect(comparedVersions(versions, {})).toEqual({ from: 3, to: 5 });
  expect(comparedVersions(versions, { to: 3 })).toEqual({ from: 1, to: 3 });
  expect(comparedVersions(versions, { from: 1, to: 5 })).toEqual({ from: 1, to: 5 });
});

test('versions that do not exist are not compared, and one alone with nothing', () => {
  expect(comparedVersions([{ version: 2 }, { version: 1 }], { from: 9, to: 7 })).toEqual({ from: 1, to: 2 });
  expect(comparedVersions([{ version: 1 }], {})).toBeUndefined();
});
