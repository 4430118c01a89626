import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

const specifiers = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g;

export type Import = { readonly specifier: string; readonly typeOnly: boolean };

/** What a file imports or re-exports, statically or dynamically. */
export function importsOf(text: string): Import[] {
  return [...text.matchAll(specifiers)].map((match) => {
    const before = text.slice(text.lastIndexOf(';', match.index) + 1, match.index);
    return { specifier: match[2] ?? '', typeOnly: /\b(?:import|export)\s+type\b[^;]*$/.test(before) };
  });
}

/** Path from the root that a relative import of a file means; undefined for a package. */
export function targetOf(file: Pick<SourceFile, 'path'>, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : undefined;
}
