import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getPriority } from 'node:os';
import type { PolicySource } from '@airdeck/detection/policy-set';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningEventWork } from '../compose-event-work.ts';
import { guessingRule } from '../modules/detection/detection-fixture.ts';
import type { Arrival } from '../modules/ingestion/arrival.ts';
import { nicenessOfThreads } from '../niceness-of-threads-fixture.ts';
import { createTestDatabase, quietLog, type TestDatabase } from '../storage/test-database.ts';
import { createEventThread } from './event-thread.ts';

let stores: TestDatabase;
const opened: RunningEventWork[] = [];

beforeAll(async () => {
  stores = await createTestDatabase();
});

afterAll(async () => {
  for (const work of opened) await work.stop();
  await stores.close();
});

const asTheyAre = { carefully: false, unmatched: false };
const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');
const FAILURE = '<86>Nov 21 11:59:58 web-1 sshd[99]: Failed password for root from 203.0.113.7 port 1786 ssh2';

/** A thread whose policies are `rules`, and how often it asked for them. */
function openThread(rules: readonly PolicySource[] = [], limits: { heapMb?: number } = {}) {
  const asked: (number | undefined)[] = [];
  const state = { version: 1, rules, asked };
  const work = createEventThread({ store: stores.eventsConnection, log: quietLog, ...limits })({
    log: quietLog,
    async loadPolicies(_tenant, knownVersion) {
      asked.push(knownVersion);
      return knownVersion === state.version
        ? { version: state.version }
        : { version: state.version, rules: state.rules };
    },
  });
  opened.push(work);
  return { work, state };
}

function ownerOf(tenantId: string) {
  const source = { id: randomUUID(), tenantId, name: 'Example', kind: 'syslog', retentionDays: 30 } as const;
  return { source, storedAs: randomUUID(), receivedAt };
}

const bodyOf = (text: string): Arrival => ({
  kind: 'body',
  bytes: Buffer.from(text),
  plan: { format: 'text', kind: 'any' },
});

const guessing = (): PolicySource => ({ id: randomUUID(), rule: guessingRule() });

const storedOf = (tenant: string) =>
  stores.events.query<{ raw: string }>({ tenant, sql: 'select raw from events where tenant = {tenant:UUID}' });

test('a body becomes stored events and matches; only these come back', async () => {
  const [tenant, policy] = [randomUUID(), guessing()];
  const { work } = openThread([policy]);
  const body = bodyOf(`${FAILURE}\nsomething else\n`);
  const held = await work.read(body, ownerOf(tenant));
  expect(held).toMatchObject({ count: 2, rejected: 0 });
  expect([...held.byHour.values()].reduce((sum, { events }) => sum + events, 0)).toBe(2);
  const { matches, alerts } = await work.write([{ id: held.id, resumed: false, ...asTheyAre }]);
  expect(matches).toMatchObject([{ tenant, policyId: policy.id, event: { raw: FAILURE, src_ip: '203.0.113.7' } }]);
  expect(alerts).toEqual([]);
  expect((await storedOf(tenant)).map(({ raw }) => raw).sort()).toEqual([FAILURE, 'something else'].sort());
});

test('small bodies that share their memory arrive whole, and what shares it with them is left alone', async () => {
  const { work } = openThread();
  const [one, other] = [Buffer.from('one line'), Buffer.from('another line')];
  const plan = { format: 'text', kind: 'any' } as const;
  await work.read({ kind: 'body', bytes: one, plan }, ownerOf(randomUUID()));
  expect(other.toString()).toBe('another line');
});

test('a body that breaks off is refused as it is without a thread', async () => {
  const { work } = openThread();
  const broken: Arrival = { kind: 'body', bytes: Buffer.from('[{"a":1},'), plan: { format: 'json', kind: 'any' } };
  await expect(work.read(broken, ownerOf(randomUUID()))).rejects.toMatchObject({ code: 'BODY_NOT_DECODABLE' });
});

test('policies are asked for again only when told, and sent again only when they changed', async () => {
  const tenant = randomUUID();
  const { work, state } = openThread([]);
  const write = async () => {
    const { id } = await work.read(bodyOf(FAILURE), ownerOf(tenant));
    return (await work.write([{ id, resumed: false, ...asTheyAre }])).matches.length;
  };
  expect([await write(), await write()]).toEqual([0, 0]);
  expect(state.asked).toEqual([undefined]);
  Object.assign(state, { version: 2, rules: [guessing()] });
  work.markStale(tenant);
  expect(await write()).toBe(1);
  work.markStale(tenant);
  expect(await write()).toBe(1);
  expect(state.asked).toEqual([undefined, 1, 2]);
});

test('what a thread that ended held is refused, and the next delivery starts a new one', async () => {
  const tenant = randomUUID();
  const { work } = openThread([], { heapMb: 96 });
  const held = await work.read(bodyOf(FAILURE), ownerOf(tenant));
  // More than its memory holds.
  const large = 'a line that is kept '.repeat(15);
  const flood = async () => {
    for (;;)
      await work.read(
        bodyOf(
          `${large}
`.repeat(40_000),
        ),
        ownerOf(tenant),
      );
  };
  await expect(flood()).rejects.toThrow('ended');
  await expect(work.write([{ id: held.id, resumed: false, ...asTheyAre }])).rejects.toThrow();
  const again = await work.read(bodyOf(FAILURE), ownerOf(tenant));
  await work.write([{ id: again.id, resumed: false, ...asTheyAre }]);
  expect(await storedOf(tenant)).toHaveLength(1);
});

test('an insert that was on its way when the thread ended may still be stored, and whoever asked for it hears so', async () => {
  const [tenant, silent] = [randomUUID(), createServer()];
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const store = { ...stores.eventsConnection, url: `http://127.0.0.1:${port}` };
  const work = createEventThread({ store, log: quietLog })({
    log: quietLog,
    loadPolicies: async () => ({ version: 1, rules: [] }),
  });
  const { id } = await work.read(bodyOf(FAILURE), ownerOf(tenant));
  const arrived = once(silent, 'request');
  const written = work.write([{ id, resumed: false, ...asTheyAre }]).catch((error: unknown) => error);
  await arrived;
  await work.stop();
  expect(await written).toMatchObject({ code: 'STORE_UNAVAILABLE', underWayMs: 0 });
  silent.close();
});

test.runIf(process.platform === 'linux')('the thread gives way to the one that answers', async () => {
  const before = new Set(nicenessOfThreads(process.pid).keys());
  const { work } = openThread();
  await work.read(bodyOf(FAILURE), ownerOf(randomUUID()));
  const own = getPriority();
  const begun = [...nicenessOfThreads(process.pid)].filter(([thread]) => !before.has(thread));
  expect(begun.map(([, niceness]) => niceness - own)).toContain(5);
  expect(getPriority()).toBe(own);
});
