import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../config/config.ts';
import { createReadiness, type ReadinessDependencies } from './readiness.ts';

type Store = keyof ReadinessDependencies['checks'];
type Checks = ReadinessDependencies['checks'];

const there = async () => undefined;
const gone = () => Promise.reject(new Error('connect ECONNREFUSED 192.0.2.1:5432'));

function open(role: Config['role'], checks: Partial<Checks>, checkWithinMs?: number) {
  const told: { check: unknown; message: string }[] = [];
  const tell = (fields: object, message: string) => {
    told.push({ check: (fields as { check?: unknown }).check, message });
  };
  const clock = { ms: 0 };
  const ask = createReadiness({
    ...{ role, checks: { database: there, events: there, disk: there, ...checks } },
    ...{ log: { warn: tell, info: tell }, nowMs: () => clock.ms },
    ...(checkWithinMs === undefined ? {} : { checkWithinMs }),
  });
  return { ask, told, clock };
}

describe('readiness', () => {
  it('takes a process out of the balancer only for a store without which its role can do nothing', async () => {
    const table: Record<string, string> = {};
    for (const role of ['all', 'api', 'worker', 'ingest'] as const) {
      const stays: Store[] = [];
      for (const store of ['database', 'events', 'disk'] as const) {
        if ((await open(role, { [store]: gone }).ask()).ready) stays.push(store);
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
    const { ask, told } = open('api', { events: gone });
    const { ready, checks } = await ask();
    expect(ready).toBe(true);
    expect(checks).toEqual([
      { name: 'database', ok: true, message: 'reachable' },
      { name: 'events', ok: false, message: 'not reachable' },
      { name: 'disk', ok: true, message: 'reachable' },
    ]);
    expect(told).toEqual([{ check: 'events', message: 'ready without it' }]);
    const without = open('api', { database: gone });
    await without.ask();
    expect(without.told).toEqual([{ check: 'database', message: 'not ready' }]);
  });

  it('answers while a store hangs, which would take the process out by silence', async () => {
    const ending = new AbortController();
    const hangs = () => sleep(60_000, undefined, { signal: ending.signal });
    const { ready, checks } = await open('ingest', { database: hangs, events: hangs }, 5).ask();
    ending.abort();
    expect({ ready, ok: checks.map(({ ok }) => ok) }).toEqual({ ready: true, ok: [false, false, true] });
  });

  it('looks once for all who ask within a second, because anybody may ask as often as they like', async () => {
    let looks = 0;
    const { ask, clock } = open('api', {
      database: async () => {
        looks++;
      },
    });
    await Promise.all(Array.from({ length: 5_000 }, ask));
    clock.ms = 999;
    expect((await ask()).ready).toBe(true);
    expect(looks).toBe(1);
    clock.ms = 1_001;
    await Promise.all(Array.from({ length: 5_000 }, ask));
    expect(looks).toBe(2);
  });

  it('writes a line when a store goes and one when it is back, however often it is asked meanwhile', async () => {
    let isAway = true;
    const { ask, told, clock } = open('api', { database: () => (isAway ? gone() : there()) });
    for (; clock.ms < 20_000; clock.ms += 500) expect((await ask()).ready).toBe(false);
    isAway = false;
    for (; clock.ms < 40_000; clock.ms += 500) await ask();
    expect((await ask()).ready).toBe(true);
    expect(told).toEqual([
      { check: 'database', message: 'not ready' },
      { check: 'database', message: 'reachable again' },
    ]);
  });
});
