import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourcePositions } from './source-positions.mjs';

const root = mkdtempSync(join(tmpdir(), 'airdeck-stack-'));
const source = "export function open(\n  door: string,\n): never {\n  throw new Error('No ' + door);\n}\n";

beforeAll(async () => {
  mkdirSync(join(root, 'apps/server/src'), { recursive: true });
  writeFileSync(join(root, 'apps/server/src/door.ts'), source);
  writeFileSync(
    join(root, 'apps/server/src/main.ts'),
    "import { open } from './door.ts';\n\ntry {\n  open('key');\n} catch (error) {\n  console.log(JSON.stringify({ stack: (error as Error).stack }));\n}\n",
  );
  await build({
    absWorkingDir: root,
    entryPoints: ['apps/server/src/main.ts'],
    outdir: 'apps/server/dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
  });
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('places of the sources in a stack', () => {
  it('are put where those of the bundle were, in a line of the log', () => {
    const logged = execFileSync(process.execPath, [join(root, 'apps/server/dist/main.mjs')], { encoding: 'utf8' });
    expect(logged).toContain('dist/main.mjs:1:');
    const read = sourcePositions(root)(logged);
    const { stack } = JSON.parse(read) as { stack: string };
    expect(stack.split('\n').slice(0, 3)).toEqual([
      'Error: No key',
      '    at open (apps/server/src/door.ts:4:9)',
      '    at apps/server/src/main.ts:4:3',
    ]);
  });

  it('are found wherever the program lay, and left as they are where no map knows them', () => {
    const read = sourcePositions(root);
    expect(read('at open (file:///opt/x/apps/server/dist/main.mjs:1:1)')).toMatch(/^at open \(apps\/server\/src\//);
    for (const text of [
      'at main (file:///opt/x/apps/server/dist/other-worker.mjs:1:200)',
      'at node:internal/process:2:3',
      'nothing of the kind',
    ])
      expect(read(text)).toBe(text);
  });
});
