import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../config/config.ts';
import { askReadiness, type ReadinessDependencies } from './readiness.ts';

type Store = keyof ReadinessDependencies['checks'];

const there = async () => undefined;
const gone = () => Promise.reject(new Error('connect ECONNREFUSED 192.0.2.1:5432'));

function ask(role: Config['role'], away: Partial<ReadinessDependencies['checks']>, checkWithinMs?: number) {
  const told: { check: unknown; message: string }[] = [];
  const log = {
    warn: (fields: object, message: string) => {
      told.push({ check: (fields as { check?: unknown }).check, message });
    },
  };
  const checks = { database: there, events: there, disk: there, ...away };
  const limit = checkWithinMs === undefined ? {} : { checkWithinMs };
  return askReadiness({ role, checks, log, ...limit }).then((answer) => ({ ...answer, told }));
}

describe('readiness', () => {
  it('takes a process out of the balancer only for a store without which its role can do nothing', async () => {
    const table: Record<string, string> = {};
    for (const role of ['all', 'api', 'worker', 'ingest'] as const) {
      const stays: Store[] = [];
      for (const store of ['database', 'events', 'disk'] as const) {
        if ((await ask(role, { [store]: gone })).ready) stays.push(store);
      }
      table[role] = `stays without ${stays.join(', ')}`;
    }
    expect(table).toMatchInlineSnapshot(`
      {
        "all": "stays without events, disk",
        "api": "stays without events, disk",
        "ingest": "stays without database, events, disk",
        "worker": "stays without disk",
      }
    `);
  });

  it('names a store that is away also where the process stays, without what an attacker would like to know', async () => {
    const { ready, checks, told } = await ask('api', { events: gone });
    expect(ready).toBe(true);
    expect(checks).toEqual([
      { name: 'database', ok: true, message: 'reachable' },
      { name: 'events', ok: false, message: 'not reachable' },
      { name: 'disk', ok: true, message: 'reachable' },
    ]);
    expect(told).toEqual([{ check: 'events', message: 'ready without it' }]);
    expect((await ask('api', { database: gone })).told).toEqual([{ check: 'database', message: 'not ready' }]);
  });

  it('answers while a store hangs, which would take the process out by silence', async () => {
    const ending = new AbortController();
    const hangs = () => sleep(60_000, undefined, { signal: ending.signal });
    const { ready, checks } = await ask('ingest', { database: hangs, events: hangs }, 5);
    ending.abort();
    expect({ ready, ok: checks.map(({ ok }) => ok) }).toEqual({ ready: true, ok: [false, false, true] });
  });
});
