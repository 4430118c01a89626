/** What the outside saw of a load of runs, held against what the engine says of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestCluster, TestDatabase } from './test-database.ts';

export interface EffectLedger {
  readonly url: string;
  /** Effects so far, repetitions included. */
  count(): Promise<number>;
  /** Resolves when this many effects have been added to those there are now. */
  grownBy(effects: number): Promise<void>;
  /** Keys of effects that must not be repeated and were. */
  doubled(): Promise<string[]>;
  keys(): Promise<ReadonlySet<string>>;
}

/** Keeps the effects of `crash-child.ts`. Its database is one that is not killed. */
export async function createEffectLedger({ database }: Pick<TestCluster, 'database'>): Promise<EffectLedger> {
  const { sql } = database;
  await sql.query('create table public.effect (key text not null, name text not null)');
  async function count(): Promise<number> {
    const { rows } = await sql.query<{ count: number }>('select count(*)::int as count from public.effect');
    return rows[0]?.count ?? 0;
  }
  return {
    url: database.url,
    count,
    async grownBy(effects) {
      const target = (await count()) + effects;
      while ((await count()) < target) await sleep(5);
    },
    async doubled() {
      const { rows } = await sql.query<{ key: string }>(
        `select key from public.effect where name = 'change' group by key having count(*) > 1`,
      );
      return rows.map(({ key }) => key);
    },
    async keys() {
      const { rows } = await sql.query<{ key: string }>('select distinct key from public.effect');
      return new Set(rows.map(({ key }) => key));
    },
  };
}

export type CallRecord = {
  readonly key: string;
  readonly status: string;
  readonly code: string | null;
  readonly attempt: number;
};

/** Every call of every run, those of started runs and of items included, under the key its effect has outside. */
export async function callsOf({ sql }: Pick<TestDatabase, 'sql'>): Promise<CallRecord[]> {
  const { rows } = await sql.query<CallRecord>(
    `select s.run_id || ':' || s.action_id || ':' || s.iteration as key, s.status, s.error->>'code' as code, s.attempt
     from engine.step s where s.kind = 'action' and s.iteration >= 0`,
  );
  return rows;
}

/** Status by id of the runs that have ended. */
export async function endedRuns({ sql }: Pick<TestDatabase, 'sql'>): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql.query<{ id: string; status: string }>(
    'select id, status from engine.run where finished_at is not null and parent_run_id is null',
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** Resolves when no run is open. */
export async function untilAllEnded({ sql }: Pick<TestDatabase, 'sql'>): Promise<void> {
  const open = async () =>
    (await sql.query('select 1 from engine.run where finished_at is null limit 1')).rows.length > 0;
  while (await open()) await sleep(20);
}
