import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { guards } from './guards.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

describe.each(guards)('the guard: $name', ({ file, line, tests }) => {
  it('stands once in its file, and has tests', () => {
    expect(readFileSync(at(file), 'utf8').split(line)).toHaveLength(2);
    expect(tests.filter((path) => !existsSync(at(path)))).toEqual([]);
  });
});
