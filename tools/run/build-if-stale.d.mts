import type { StdioOptions } from 'node:child_process';

type Output = Exclude<StdioOptions, string> extends readonly (infer Each)[] ? Each : never;

export function buildIfStale(wanted: readonly ('server' | 'dashboard')[], output?: Output): boolean;
