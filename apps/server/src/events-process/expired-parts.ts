/**
 * What is over is taken away by merges, so while these stand still for want of space the disk would stay full for ever. Then the
 * parts in which every row is over go whole: that copies nothing, and takes away no row that a merge would have kept.
 */
import { quoteLiteral } from './sql-text.ts';

const EVERY_MS = 60_000;

export type ExpiredParts = {
  /** To be called often while merges stand still; looks once a minute. */
  look(): void;
  /** Resolves when nothing is being taken away. */
  idle(): Promise<void>;
};

/** `ask` answers with the lines of TabSeparated. */
export function createExpiredParts(ask: (statement: string) => Promise<string>): ExpiredParts {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let dropping = Promise.resolve();
  return {
    look() {
      if (performance.now() - lookedAt < EVERY_MS) return;
      lookedAt = performance.now();
      // What failed is there at the next look.
      dropping = dropping.then(() => dropExpiredParts(ask)).catch(() => undefined);
    },
    idle: () => dropping,
  };
}

export async function dropExpiredParts(ask: (statement: string) => Promise<string>): Promise<void> {
  const parts = await ask(`
    select database, table, name from system.parts
    where active and delete_ttl_info_max > toDateTime(0) and delete_ttl_info_max < now()`);
  for (const line of parts.split('\n')) {
    const [database, table, name] = line.split('\t');
    if (database === undefined || table === undefined || name === undefined) continue;
    await ask(`alter table \`${database}\`.\`${table}\` drop part ${quoteLiteral(name)}`);
  }
}
