import { describe, expect, it } from 'vitest';
import { problemsInDocument } from './docs-paths.ts';
import { listFiles, listPaths } from './source-files.ts';

const paths = listPaths(/./);
const known = new Set(
  paths.flatMap((path) => [path, ...path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))]),
);

describe('documents', () => {
  it('are told when a path they name is gone or a line number is given', () => {
    const text = 'See `packages/gone/src/{a,b}.ts`, `apps/server/src/app.ts:12`, [this](missing.md) and `npm run dev`.';
    expect(problemsInDocument({ path: 'docs/x.md', text }, () => false)).toEqual([
      'docs/x.md: packages/gone/src/a.ts does not exist',
      'docs/x.md: packages/gone/src/b.ts does not exist',
      'docs/x.md: apps/server/src/app.ts:12 gives a line number',
      'docs/x.md: docs/missing.md does not exist',
    ]);
  });

  it('name only paths that exist', () => {
    const documents = listFiles(/\.md$/);
    expect(documents.length).toBeGreaterThan(0);
    expect(documents.flatMap((document) => problemsInDocument(document, (path) => known.has(path)))).toEqual([]);
  });

  it('for everyone stay short enough to be read', () => {
    const lengths = listFiles(/^(README|AGENTS)\.md$/).map(({ path, text }) => ({
      path,
      lines: text.split('\n').length,
    }));
    expect(lengths.filter(({ lines }) => lines > 151)).toEqual([]);
  });
});
