import type { SourceFile } from './source-files.ts';

/** Written by the program while it runs, so not in the repository. */
const madeAtRunTime = /^(data|coverage|test-results)(\/|$)|\/dist(\/|$)|^node_modules\//;
const topLevel = /^(apps|packages|e2e|docs|security|tools|\.ci|data|deploy)\//;
const code = /`([^`\n]+)`|\]\(([^)\s#]+)/g;

/** Paths a document names that do not exist, and line numbers it should not give. */
export function problemsInDocument(document: SourceFile, exists: (path: string) => boolean): string[] {
  return [...document.text.matchAll(code)].flatMap((match) => {
    const named = (match[1] ?? match[2] ?? '').trim();
    const path = named.replace(/^\.\//, '').replace(/[/]$/, '');
    if (!isPath(document, path, match[2] !== undefined) || madeAtRunTime.test(path)) return [];
    if (/:\d+$|#L\d+/.test(path)) return [`${document.path}: ${named} gives a line number`];
    const resolved = match[2] === undefined ? path : relativeTo(document.path, path);
    return expand(resolved)
      .filter((one) => !exists(one))
      .map((one) => `${document.path}: ${one} does not exist`);
  });
}

/** In code spans only what starts with a top-level folder; in links everything that is not an address. */
function isPath(document: SourceFile, path: string, isLink: boolean): boolean {
  if (isLink) return !/^[a-z]+:/.test(path) && path !== '';
  if (/[\s<>*…$]/.test(path)) return false;
  return topLevel.test(path) && document.path !== '';
}

function relativeTo(document: string, path: string): string {
  return new URL(path, `file:///${document}`).pathname.slice(1).replace(/[/]$/, '');
}

/** `a/{b,c}.ts` names two files. */
function expand(path: string): string[] {
  const [, before = '', list, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return list === undefined ? [path] : list.split(',').flatMap((part) => expand(`${before}${part}${after}`));
}
