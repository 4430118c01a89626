import { describe, expect, it } from 'vitest';
import { importsOf } from './imports.ts';
import { listFiles, listPaths, readJson } from './source-files.ts';
import { isTestCode } from './test-code.ts';
import { testEdges, workspaceEdges } from './workspace-edges.ts';

type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };

const manifests = listPaths(/^(apps\/[^/]+|packages\/[^/]+|e2e)\/package\.json$/);
const workspaces = manifests.map((path) => path.replace(/\/package\.json$/, ''));

function ours(dependencies: Record<string, string> | undefined): string[] {
  return Object.keys(dependencies ?? {}).flatMap((name) => (name.startsWith('@airdeck/') ? [name.slice(9)] : []));
}

describe('workspace edges', () => {
  it('knows every workspace', () => {
    expect(workspaces.filter((workspace) => !Object.hasOwn(workspaceEdges, workspace))).toEqual([]);
  });

  it.each(workspaces)('%s depends only on what the table allows', (workspace) => {
    const allowed = workspaceEdges[workspace] ?? [];
    const manifest = readJson(`${workspace}/package.json`) as Manifest;
    const refused = ours(manifest.dependencies).filter((name) => !allowed.includes(name));
    const allowedInTests = [...allowed, ...(testEdges[workspace] ?? [])];
    const refusedInTests = ours(manifest.devDependencies).filter((name) => !allowedInTests.includes(name));
    expect({ refused, refusedInTests }).toEqual({ refused: [], refusedInTests: [] });
  });

  it('sees no import that leaves its workspace or is not declared in its package.json', () => {
    const problems = workspaces.flatMap((workspace) => {
      const manifest = readJson(`${workspace}/package.json`) as Manifest;
      const [used, forTests] = [ours(manifest.dependencies), ours(manifest.devDependencies)];
      return listFiles(new RegExp(`^${workspace}/.*\\.(ts|tsx|mjs)$`)).flatMap(({ path, text }) => {
        const declared = isTestCode(path) || path.includes('/bench/') ? [...used, ...forTests] : used;
        return importsOf(text)
          .filter(({ specifier }) => !isAllowed({ path, workspace, specifier, declared }))
          .map(({ specifier }) => `${path} imports ${specifier}`);
      });
    });
    expect(problems).toEqual([]);
  });
});

/** The launcher of the command hands `start` over to the program that starts everything. */
const launcher = 'apps/cli/bin/airdeck.mjs';

/** Journeys start the stand-ins of other companies' services that the server's tests use: one of each, not two. */
const standIn = /^\/apps\/server\/src\/modules\/[^/]+\/[a-z-]+-stand-in\.ts$/;

function isAllowed(at: { path: string; workspace: string; specifier: string; declared: string[] }): boolean {
  if (at.specifier.startsWith('@airdeck/')) return at.declared.includes(at.specifier.split('/')[1] ?? '');
  if (!at.specifier.startsWith('.') || (at.path === launcher && at.specifier.endsWith('/tools/start.mjs'))) return true;
  const { pathname } = new URL(at.specifier, `file:///${at.path}`);
  return pathname.startsWith(`/${at.workspace}/`) || (at.workspace === 'e2e' && standIn.test(pathname));
}
