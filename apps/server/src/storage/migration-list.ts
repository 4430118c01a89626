import type { Migration } from './migrations.ts';

/** In the order they run; every module adds one line. */
export const migrationList: readonly Migration[] = [];
