/** What statements cost, counted in blocks and not in time. */
import type { SqlClient, SqlPool } from '../interfaces.ts';

/** Explains instead of claiming: statements that look for tenants run under EXPLAIN ANALYZE, and all is rolled back. */
export function explaining(pool: SqlPool, plans: string[]): SqlPool {
  return {
    transaction: async (work) => {
      const outcome: unknown[] = [];
      await pool
        .transaction(async (tx) => {
          const client: SqlClient = {
            async query<Row>(text: string, values?: readonly unknown[]) {
              if (!text.includes('with recursive')) return tx.query<Row>(text, values);
              const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, values);
              plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
              return { rows: [], rowCount: 0 };
            },
          };
          outcome.push(await work(client));
          throw new Error('only explained');
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error && error.message === 'only explained')) throw error;
        });
      return outcome[0] as Awaited<ReturnType<typeof work>>;
    },
  };
}

/** Buffers of the topmost node: those of all below are counted in. */
export function blocksOf(plan: string): number {
  const found = /Buffers: ([^\n]*)/.exec(plan)?.[1] ?? '';
  return [...found.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, blocks]) => sum + Number(blocks), 0);
}
