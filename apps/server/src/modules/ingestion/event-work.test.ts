import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '../../http/app-error.ts';
import { createEventWork, type Matched } from './event-work.ts';

const owner = {
  source: { id: 'a source', tenantId: 'a tenant', name: 'Example', kind: 'syslog', retentionDays: 30 },
  storedAs: 'a batch',
  receivedAt: Date.parse('2026-11-21T12:00:00.000Z'),
} as const;
const asTheyAre = { carefully: false, unmatched: false };
const ping = async () => undefined;
const lines = { kind: 'lines', lines: [{ text: 'something happened', receivedAt: owner.receivedAt }] } as const;

test('nobody is told to repeat a batch while its events are still being written: the repetition would not see them', async () => {
  let end = (): void => undefined;
  const writing = new Promise<Set<string>>((resolve) => {
    end = () => resolve(new Set());
  });
  const away = new Error('away');
  const work = createEventWork({ writer: { write: () => writing, ping }, match: () => Promise.reject(away) });
  const { id } = await work.read(lines, owner);
  let told = false;
  const failure = work.write([{ id, resumed: true, ...asTheyAre }]).catch((error: unknown) => {
    told = true;
    return error;
  });
  await setImmediate();
  expect(told).toBe(false);
  end();
  expect(await failure).toBe(away);
});

test('whatever else failed, whoever asked hears that events may still be stored', async () => {
  const open = new AppError('STORE_UNAVAILABLE', { underWayMs: 5 });
  const write = () => setImmediate().then(() => Promise.reject(open));
  const work = createEventWork({ writer: { write, ping }, match: () => Promise.reject(new Error('away')) });
  const { id } = await work.read(lines, owner);
  await expect(work.write([{ id, resumed: false, ...asTheyAre }])).rejects.toBe(open);
});

test('what was dropped is not written: whoever asks for it is told, and nothing is acknowledged for it', async () => {
  const work = createEventWork({ writer: { write: async () => new Set<string>(), ping }, match: async () => [] });
  const { id, count } = await work.read(lines, owner);
  expect(count).toBe(1);
  expect(await work.write([{ id, resumed: false, ...asTheyAre }])).toEqual({
    matches: [],
    next: undefined,
    alerts: [],
    asText: [],
  });
  work.drop(id);
  await expect(work.write([{ id, resumed: false, ...asTheyAre }])).rejects.toThrow('not held');
});

test('whoever has one delivery waits for one of each other, not for all that somebody else brought', async () => {
  const work = createEventWork({ writer: { write: async () => new Set<string>(), ping }, match: async () => [] });
  const read: string[] = [];
  const deliver = async (tenantId: string) => {
    await work.read(lines, { ...owner, source: { ...owner.source, tenantId } });
    read.push(tenantId);
  };
  const all = ['loud', 'loud', 'loud', 'loud', 'quiet', 'other'].map(deliver);
  await Promise.all(all);
  expect(read.indexOf('quiet')).toBeLessThanOrEqual(3);
  expect(read.indexOf('other')).toBeLessThanOrEqual(3);
  expect(read).toHaveLength(6);
});

test('more matches than memory should hold come in pieces, each event with all of its own', async () => {
  const hit = { tenant: 'a tenant', policyId: 'a policy', groupKey: '', groupValues: {} };
  const work = createEventWork({
    writer: { write: async () => new Set<string>(), ping },
    match: async (events) => events.flatMap((event) => Array.from({ length: 90 }, () => ({ ...hit, event }))),
  });
  const many = { kind: 'lines', lines: Array.from({ length: 2_000 }, () => lines.lines[0]) } as const;
  const order = { id: (await work.read(many, owner)).id, resumed: false, ...asTheyAre };
  const perEvent = new Map<string, number>();
  let piece: Matched = await work.write([order]);
  for (;;) {
    expect(piece.matches.length).toBeLessThan(50_000);
    for (const { event } of piece.matches) perEvent.set(event.id, (perEvent.get(event.id) ?? 0) + 1);
    if (piece.next === undefined) break;
    piece = await work.match([order], piece.next);
  }
  expect(perEvent.size).toBe(2_000);
  expect(new Set(perEvent.values())).toEqual(new Set([90]));
});
