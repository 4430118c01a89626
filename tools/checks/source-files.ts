import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const skippedFolders = new Set(['.git', 'node_modules', 'dist', 'coverage', 'test-results']);

/** Path from the root with forward slashes, and text. */
export type SourceFile = { readonly path: string; readonly text: string };

/** Paths of every file of the repository whose path matches, sorted; build results and the data folder left out. */
export function listPaths(pattern: RegExp): string[] {
  return pathsBelow('').filter((path) => pattern.test(path));
}

export function listFiles(pattern: RegExp): SourceFile[] {
  return listPaths(pattern).map((path) => ({ path, text: readFileSync(root + path, 'utf8') }));
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(root + path, 'utf8'));
}

export function namesAtRoot(): string[] {
  return readdirSync(root);
}

function pathsBelow(folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) return [path];
      return skippedFolders.has(entry.name) || path === 'data' ? [] : pathsBelow(`${path}/`);
    });
}
