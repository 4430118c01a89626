import { importsOf, targetOf } from './imports.ts';
import type { SourceFile } from './source-files.ts';

/** Tests and what only they use, known by the name; CONTRIBUTING.md states the rule. */
const named =
  /\.test(?:-d)?\.tsx?$|\/test-[^/]+\.tsx?$|-(?:fixtures?|payloads|stand-in)\.tsx?$|\/fixtures\.tsx?$|\/testing\//;

export function isTestCode(path: string): boolean {
  return named.test(path);
}

/** Benches stand beside the product and journeys outside of it: both may use what is there for tests. */
function isProduct(path: string): boolean {
  return /^(?:apps|packages)\/[^/]+\/src\//.test(path) && !isTestCode(path);
}

/** Imports that make the product need what is there for tests. */
export function testCodeInProduct(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => isProduct(path))
    .flatMap((file) =>
      modulesOf(file)
        .filter(isTestCode)
        .map((path) => `${file.path} imports ${path}`),
    );
}

export const wayOut = 'is used by tests only: name it …-fixture.ts or put it under testing/, or use it';

/** Modules that are imported, though by tests, benches and one another only, and are not named as test code. */
export function usedByTestsOnly(files: readonly SourceFile[]): string[] {
  const users = new Map<string, string[]>();
  for (const file of files)
    for (const path of modulesOf(file)) users.set(path, [...(users.get(path) ?? []), file.path]);
  const found = new Set<string>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const { path } of files) {
      const by = users.get(path);
      if (by === undefined || !isProduct(path)) continue;
      if (by.every((user) => isTestCode(user) || user.includes('/bench/') || found.has(user))) found.add(path);
    }
  }
  return [...found];
}

/** Paths of the modules of this repository that a file imports. */
function modulesOf(file: SourceFile): string[] {
  return importsOf(file.text).flatMap(({ specifier }) => {
    const ours = /^@airdeck\/([^/]+)(?:\/(.+))?$/.exec(specifier);
    if (ours !== null) return [`packages/${ours[1]}/src/${ours[2] ?? ours[1]}.ts`];
    return targetOf(file, specifier) ?? [];
  });
}
