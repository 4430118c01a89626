import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEventWork } from './event-work.ts';

const owner = {
  source: { id: 'a source', tenantId: 'a tenant', name: 'Example', kind: 'syslog', retentionDays: 30 },
  storedAs: 'a batch',
  receivedAt: Date.parse('2026-11-21T12:00:00.000Z'),
} as const;
const lines = { kind: 'lines', lines: [{ text: 'something happened', receivedAt: owner.receivedAt }] } as const;

test('nobody is told to repeat a batch while its events are still being written: the repetition would not see them', async () => {
  let end = (): void => undefined;
  const writing = new Promise<void>((resolve) => {
    end = resolve;
  });
  const away = new Error('away');
  const work = createEventWork({ writer: { write: () => writing }, match: () => Promise.reject(away) });
  const { id } = await work.read(lines, owner);
  let told = false;
  const failure = work.write([{ id, resumed: true }]).catch((error: unknown) => {
    told = true;
    return error;
  });
  await setImmediate();
  expect(told).toBe(false);
  end();
  expect(await failure).toBe(away);
});

test('what was dropped is not written: whoever asks for it is told, and nothing is acknowledged for it', async () => {
  const work = createEventWork({ writer: { write: async () => undefined }, match: async () => [] });
  const { id, count } = await work.read(lines, owner);
  expect(count).toBe(1);
  expect(await work.write([{ id, resumed: false }])).toEqual({ matches: [], alerts: [] });
  work.drop(id);
  await expect(work.write([{ id, resumed: false }])).rejects.toThrow('not held');
});

test('whoever has one delivery waits for one of each other, not for all that somebody else brought', async () => {
  const work = createEventWork({ writer: { write: async () => undefined }, match: async () => [] });
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
