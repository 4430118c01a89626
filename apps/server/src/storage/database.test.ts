import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIdentityPool } from '../modules/identity/identity-pool.ts';
import { openDatabase, repeatOnConflict, sqlClient } from './database.ts';
import { externalMigration } from './migrations.ts';
import { transientKind } from './sql-state.ts';
import { createTestDatabase, quietLog, type TestDatabase } from './test-database.ts';

const migration = externalMigration({
  id: '0001-notes',
  sql: 'create table note (tenant_id uuid not null, body text not null, n bigint not null default 7, at timestamptz not null default now())',
  tenantTables: ['note'],
});
const ACME = randomUUID();
const GLOBEX = randomUUID();

let stores: TestDatabase;

beforeAll(async () => {
  stores = await createTestDatabase([migration]);
  await stores.database.system(async (tx) => {
    await sqlClient(tx).query('insert into note (tenant_id, body) values ($1, $2), ($3, $4)', [ACME, 'a', GLOBEX, 'g']);
  });
});
afterAll(() => stores.close());

const bodies = (tenant: string) =>
  stores.database.tenant(tenant, async (tx) => {
    const { rows } = await sqlClient(tx).query<{ body: string }>('select body from note order by body');
    return rows.map((row) => row.body);
  });

describe('tenant transactions', () => {
  it('see the rows of their tenant only', async () => {
    expect(await bodies(ACME)).toEqual(['a']);
    expect(await bodies(GLOBEX)).toEqual(['g']);
    expect(await bodies(randomUUID())).toEqual([]);
  });

  it('cannot write a row of another tenant, nor move or delete one', async () => {
    const { database } = stores;
    const insert = database.tenant(ACME, (tx) =>
      sqlClient(tx).query('insert into note (tenant_id, body) values ($1, $2)', [GLOBEX, 'x']),
    );
    await expect(insert).rejects.toMatchObject({ code: '42501' });
    const move = database.tenant(ACME, (tx) => sqlClient(tx).query('update note set tenant_id = $1', [GLOBEX]));
    await expect(move).rejects.toMatchObject({ code: '42501' });
    const removed = await database.tenant(ACME, (tx) =>
      sqlClient(tx).query('delete from note where tenant_id = $1', [GLOBEX]),
    );
    expect(removed.rowCount).toBe(0);
    expect(await bodies(GLOBEX)).toEqual(['g']);
  });

  it('refuse anything that is not a UUID before touching the database', async () => {
    const work = stores.database.tenant(`${ACME}'; reset role; --`, () => Promise.reject(new Error('reached')));
    await expect(work).rejects.toThrow('must be a UUID');
  });

  it('roll back when the work throws', async () => {
    const work = stores.database.tenant(ACME, async (tx) => {
      await sqlClient(tx).query('insert into note (tenant_id, body) values ($1, $2)', [ACME, 'lost']);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await bodies(ACME)).toEqual(['a']);
  });

  it('return counts as numbers and times as dates', async () => {
    const [row] = await stores.database.tenant(ACME, async (tx) => {
      const { rows } = await sqlClient(tx).query<{ n: unknown; at: unknown }>('select n, at from note');
      return rows;
    });
    expect(row?.n).toBe(7);
    expect(row?.at).toBeInstanceOf(Date);
  });
});

describe('transactions that only read', () => {
  const read = (tenant: string, text: string) =>
    stores.database.read(tenant, async (tx) => (await sqlClient(tx).query<{ body: string }>(text)).rows);

  it('see the rows of their tenant only, many at once on few connections', async () => {
    const database = openDatabase({ url: stores.url, log: quietLog, poolSize: { app: 2, system: 1 } });
    const seen = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        database.read([ACME, GLOBEX, randomUUID()][n % 3] ?? '', async (tx) => {
          const first = await sqlClient(tx).query<{ body: string }>('select body from note');
          const [second] = await Promise.all([
            sqlClient(tx).query<{ body: string }>('select body from note where n = $1', [7]),
            sqlClient(tx).query('select 1'),
          ]);
          return [...first.rows, ...second.rows].map(({ body }) => body).join('');
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => ['aa', 'gg', ''][n % 3]));
    await database.close();
  });

  it('are refused by the database when they write', async () => {
    await expect(read(ACME, `update note set body = 'x' returning body`)).rejects.toMatchObject({ code: '25006' });
    expect(await bodies(ACME)).toEqual(['a']);
  });

  it('leave a connection that works after an error, and one that writes after one that reads', async () => {
    const database = openDatabase({ url: stores.url, log: quietLog, poolSize: { app: 1, system: 1 } });
    for (let round = 0; round < 3; round++) {
      await expect(database.read(ACME, (tx) => sqlClient(tx).query('select 1/0'))).rejects.toMatchObject({
        code: '22012',
      });
      const { rowCount } = await database.tenant(GLOBEX, (tx) => sqlClient(tx).query('update note set n = n'));
      expect(rowCount).toBe(1);
      const { rows } = await database.read(ACME, (tx) => sqlClient(tx).query('select body from note'));
      expect(rows).toEqual([{ body: 'a' }]);
    }
    await database.close();
  });

  it('refuse anything that is not a UUID before touching the database', async () => {
    await expect(read("'; --", 'select 1')).rejects.toThrow('must be a UUID');
  });
});

describe('a pooled connection', () => {
  it('carries no tenant over to its next user, not even after an error', async () => {
    const database = openDatabase({ url: stores.url, log: quietLog, poolSize: { app: 1, system: 1 } });
    const context = () =>
      database.tenant(GLOBEX, async (tx) => {
        const { rows } = await sqlClient(tx).query<{ tenant: string; pid: number }>(
          `select current_setting('airdeck.tenant') as tenant, pg_backend_pid() as pid`,
        );
        return rows[0];
      });
    const first = await context();
    await expect(database.tenant(ACME, (tx) => sqlClient(tx).query('select 1/0'))).rejects.toMatchObject({
      code: '22012',
    });
    await expect(database.tenant(ACME, () => Promise.reject(new Error('application')))).rejects.toThrow('application');
    const second = await context();
    expect(second).toEqual(first);
    expect(second?.tenant).toBe(GLOBEX);
    await database.close();
  });

  it('is thrown away when its session was ended by the server', async () => {
    const database = openDatabase({ url: stores.url, log: quietLog, poolSize: { app: 1, system: 1 } });
    const pid = () =>
      database.tenant(
        ACME,
        async (tx) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0]?.pid,
      );
    const before = await pid();
    const work = database.tenant(ACME, async (tx) => {
      await stores.database.system((other) => sqlClient(other).query('select 1'));
      await withOwner(`select pg_terminate_backend(${before})`);
      await sqlClient(tx).query('select 1');
    });
    await expect(work).rejects.toThrow();
    expect(await pid()).not.toBe(before);
    await database.close();
  });

  it('that does not come in time is the database being away, and no fault of ours', async () => {
    const hanging = createServer().listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const url = `postgres://somebody@127.0.0.1:${port}/none`;
    const away = openDatabase({ url, log: quietLog, poolSize: { app: 1, system: 1 }, connectWithinMs: 50 });
    const asked = Array.from({ length: 3 }, () => away.tenant(ACME, async () => 'done').catch(transientKind));
    expect(await Promise.all(asked)).toEqual(['connection', 'connection', 'connection']);
    await away.close();
    hanging.close();

    const busy = openDatabase({
      url: stores.url,
      log: quietLog,
      poolSize: { app: 1, system: 1 },
      connectWithinMs: 1_000,
    });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = busy.tenant(ACME, () => held);
    expect(await busy.tenant(ACME, async () => 'done').catch(transientKind)).toBe('connection');
    release();
    await first;
    await busy.close();
  });

  it('that is cut is the database being away as well, and hides no reason of ours', async () => {
    const { hostname, port } = new URL(stores.url);
    const ends: Socket[] = [];
    const between = createServer((near) => {
      const far = connect(Number(port), hostname);
      ends.push(near, far);
      for (const end of [near, far]) end.on('error', () => undefined);
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const cut = () => {
      for (const end of ends.splice(0)) end.destroy();
    };
    const through = new URL(stores.url);
    through.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
    const database = openDatabase({ url: through.toString(), log: quietLog, poolSize: { app: 1, system: 1 } });
    const inMiddle = database.tenant(ACME, async (tx) => {
      await sqlClient(tx).query('select 1');
      const slow = sqlClient(tx).query('select pg_sleep(30)');
      cut();
      await slow;
    });
    expect(await inMiddle.catch(transientKind)).toBe('connection');
    const afterwards = database.tenant(ACME, async (tx) => {
      await sqlClient(tx).query('select 1');
      cut();
      await expect.poll(() => sqlClient(tx).query('select 1').catch(transientKind)).toBe('connection');
      await sqlClient(tx).query('select 1');
    });
    expect(await afterwards.catch(transientKind)).toBe('connection');
    const ours = database.tenant(ACME, async (tx) => {
      await sqlClient(tx).query('select 1');
      cut();
      throw new Error('ours');
    });
    await expect(ours).rejects.toThrow('ours');
    expect(await database.tenant(ACME, async () => 'done')).toBe('done');
    await database.close();
    between.close();
  });

  it('keeps nobody waiting for ever: not by a lock it waits for, nor by one it holds', async () => {
    const ask = `select setting || coalesce(unit, '') as value from pg_settings
      where name = any (array['idle_in_transaction_session_timeout', 'lock_timeout', 'search_path',
        'tcp_keepalives_count', 'tcp_keepalives_idle', 'tcp_keepalives_interval']) order by name`;
    const signIn = openIdentityPool({ url: stores.url, log: quietLog });
    const [ours, itsOwn] = [
      await stores.database.system((tx) => sqlClient(tx).query<{ value: string }>(ask)),
      await signIn.query<{ value: string }>(ask),
    ].map(({ rows }) => rows.map(({ value }) => value));
    await signIn.end();
    expect(ours).toEqual(['60000ms', '30000ms', 'public', '3', '30s', '10s']);
    expect(itsOwn).toEqual(['60000ms', '30000ms', 'identity', '3', '30s', '10s']);
  });

  it('without a tenant shows no rows', async () => {
    const rows = await withOwner('set role airdeck_app; select * from note', { last: true });
    expect(rows).toEqual([]);
  });
});

describe('whether the database is there', () => {
  it('is no matter of how many work with it at once', async () => {
    const busy = openDatabase({
      url: stores.url,
      log: quietLog,
      poolSize: { app: 1, system: 1 },
      connectWithinMs: 1_000,
    });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work: Promise<void>[] = [];
    for (const begin of [(each: () => Promise<void>) => busy.tenant(ACME, each), busy.system]) {
      await new Promise<void>((begun) => {
        work.push(
          begin(() => {
            begun();
            return held;
          }),
        );
      });
    }
    await busy.ready();
    release();
    await Promise.all(work);
    await busy.close();
  });

  it('is asked on one connection, whose end is not that of the database', async () => {
    const database = openDatabase({ url: stores.url, log: quietLog, poolSize: { app: 1, system: 1 } });
    const pids = async () => {
      const rows = await withOwner(
        `select pid from pg_stat_activity where application_name = 'airdeck-reachability' and datname = current_database()`,
      );
      return (rows as { pid: number }[]).map(({ pid }) => pid);
    };
    await Promise.all(Array.from({ length: 50 }, () => database.ready()));
    await database.ready();
    const [first, ...others] = await pids();
    expect(others).toEqual([]);
    await withOwner(`select pg_terminate_backend(${first})`);
    await database.ready();
    expect(await pids()).not.toContain(first);
    await database.close();
    await expect.poll(pids).toEqual([]);
  });

  it('is told again of a server that says nothing more on the connection that is kept', async () => {
    const { hostname, port } = new URL(stores.url);
    const calls: { near: Socket; far: Socket }[] = [];
    const between = createServer((near) => {
      const far = connect(Number(port), hostname);
      calls.push({ near, far });
      for (const end of [near, far]) end.on('error', () => undefined);
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const through = new URL(stores.url);
    through.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
    const database = openDatabase({ url: through.toString(), log: quietLog, poolSize: { app: 1, system: 1 } });
    await database.ready();
    for (const { near, far } of calls) near.unpipe(far);
    await database.ready();
    expect(calls).toHaveLength(2);
    await database.close();
    for (const { near, far } of calls) for (const end of [near, far]) end.destroy();
    between.close();
  });
});

describe('statements that come again and again', () => {
  it('go on when a later release adds a column to their table', async () => {
    const texts = [
      'select * from note order by body',
      'select n.* from note n order by body',
      'select body, n.* from note as n order by body',
      'select distinct on (body) n.* from note n order by body',
      'select distinct on (body) * from note order by body',
      'with own as (select body, n from note) select own.* from own order by body',
      `update note set n = n + 1 where tenant_id = '${ACME}' returning *`,
      'select (select count(*) from note), body from note',
    ];
    // The same connection every time: the texts are prepared there.
    const ask = () =>
      stores.database.tenant(ACME, async (tx) => {
        for (const text of texts) await sqlClient(tx).query(text);
        return (await sqlClient(tx).query<{ body: string }>(texts[0] ?? '')).rows.map(({ body }) => body);
      });
    for (let time = 0; time < 4; time++) await ask();
    const owner = new pg.Client({ connectionString: stores.url });
    await owner.connect();
    await owner.query('alter table note add column later text');
    await owner.end();
    for (let time = 0; time < 3; time++) expect(await ask()).toEqual(['a']);
  });
});

describe('system transactions', () => {
  it('see all tenants', async () => {
    const { rows } = await stores.database.system((tx) => sqlClient(tx).query('select body from note order by body'));
    expect(rows).toEqual([{ body: 'a' }, { body: 'g' }]);
  });
});

describe('listening', () => {
  it('delivers what a committed transaction announced, and nothing of a rolled back one', async () => {
    const heard: string[] = [];
    let arrived: () => void = () => undefined;
    const last = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const stop = await stores.database.listen('changes', (payload) => {
      heard.push(payload);
      if (payload === 'second') arrived();
    });
    const announce = (payload: string, fail: boolean) =>
      stores.database.system(async (tx) => {
        await sqlClient(tx).query('select pg_notify($1, $2)', ['changes', payload]);
        if (fail) throw new Error('rolled back');
      });
    await expect(announce('first', true)).rejects.toThrow('rolled back');
    await announce('second', false);
    await last;
    expect(heard).toEqual(['second']);
    await stop();
  });

  it('comes back after its connection was cut and reports the gap', async () => {
    let gap: () => void = () => undefined;
    const gapSeen = new Promise<void>((resolve) => {
      gap = resolve;
    });
    let hear: (payload: string) => void = () => undefined;
    const heard = new Promise<string>((resolve) => {
      hear = resolve;
    });
    const stop = await stores.database.listen(
      'lively',
      (payload) => hear(payload),
      () => gap(),
    );
    await withOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'airdeck-listen' and datname = current_database()`,
    );
    await gapSeen;
    await stores.database.system((tx) => sqlClient(tx).query('select pg_notify($1, $2)', ['lively', 'back']));
    expect(await heard).toBe('back');
    await stop();
  });
});

describe('repeating on conflict', () => {
  it('repeats a deadlock once and leaves other errors alone', async () => {
    const failing = (code: string) => {
      let calls = 0;
      return {
        calls: () => calls,
        work: () => {
          calls++;
          return calls === 1 ? Promise.reject(Object.assign(new Error('no'), { code })) : Promise.resolve('done');
        },
      };
    };
    const deadlock = failing('40P01');
    expect(await repeatOnConflict(deadlock.work)).toBe('done');
    const duplicate = failing('23505');
    await expect(repeatOnConflict(duplicate.work)).rejects.toThrow('no');
    const lost = failing('08006');
    await expect(repeatOnConflict(lost.work)).rejects.toThrow('no');
    const waited = failing('55P03');
    await expect(repeatOnConflict(waited.work)).rejects.toThrow('no');
    expect([deadlock, duplicate, lost, waited].map(({ calls }) => calls())).toEqual([2, 1, 1, 1]);
  });
});

async function withOwner(text: string, options: { last?: boolean } = {}): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: stores.url });
  await client.connect();
  const result: unknown = await client.query(text);
  await client.end();
  const final = options.last === true && Array.isArray(result) ? result.at(-1) : result;
  return (final as { rows: unknown[] }).rows;
}
