import { describe, expect, it } from 'vitest';
import { importsOf, targetOf } from './imports.ts';

describe('reading imports', () => {
  it('finds static, type-only, side-effect, dynamic and re-exporting imports', () => {
    const text = `
      import { a } from 'one';
      import type { B } from '../two.ts';
      import 'three';
      const c = await import('./four.ts');
      export { d } from "five";
    `;
    expect(importsOf(text)).toEqual([
      { specifier: 'one', typeOnly: false },
      { specifier: '../two.ts', typeOnly: true },
      { specifier: 'three', typeOnly: false },
      { specifier: './four.ts', typeOnly: false },
      { specifier: 'five', typeOnly: false },
    ]);
  });

  it('resolves what is relative and leaves packages alone', () => {
    expect(targetOf({ path: 'apps/server/src/http/bind.ts' }, '../app.ts')).toBe('apps/server/src/app.ts');
    expect(targetOf({ path: 'apps/server/src/http/bind.ts' }, 'fastify')).toBeUndefined();
  });
});
