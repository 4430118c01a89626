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

export type ExpiredDeeds = {
  /** What was taken away. */
  parts: number;
  rows: number;
  /** Parts that could not be, and why the first of them could not. */
  failed: number;
  failure?: string;
};

/** `ask` answers with the lines of TabSeparated. `tell` hears of each look that found something, or failed. */
export function createExpiredParts(
  ask: (statement: string) => Promise<string>,
  tell: (deeds: ExpiredDeeds) => void,
): ExpiredParts {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let dropping = Promise.resolve();

  async function drop(): Promise<void> {
    const deeds = await dropExpiredParts(ask).catch((error: unknown) => {
      return { parts: 0, rows: 0, failed: 0, failure: String(error) };
    });
    if (deeds.parts > 0 || deeds.failure !== undefined) tell(deeds);
  }

  return {
    look() {
      if (performance.now() - lookedAt < EVERY_MS) return;
      lookedAt = performance.now();
      // What failed is there at the next look.
      dropping = dropping.then(drop);
    },
    idle: () => dropping,
  };
}

/** One that cannot be taken away keeps none of the others. */
export async function dropExpiredParts(ask: (statement: string) => Promise<string>): Promise<ExpiredDeeds> {
  const found = await ask(`
    select database, table, name, rows from system.parts
    where active and delete_ttl_info_max > toDateTime(0) and delete_ttl_info_max < now()`);
  const deeds: ExpiredDeeds = { parts: 0, rows: 0, failed: 0 };
  for (const line of found.split('\n')) {
    const [database, table, name, rows] = line.split('\t');
    if (database === undefined || table === undefined || name === undefined) continue;
    try {
      await ask(`alter table \`${database}\`.\`${table}\` drop part ${quoteLiteral(name)}`);
      deeds.parts++;
      deeds.rows += Number(rows);
    } catch (error) {
      deeds.failed++;
      deeds.failure ??= String(error);
    }
  }
  return deeds;
}
