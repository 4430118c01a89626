import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStreamHub, type StreamHub } from './stream-hub.ts';

let hub: StreamHub;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00.000Z') });
  hub = createStreamHub({ log: { warn: () => undefined }, now: () => new Date() });
  hub.start();
});
afterEach(() => {
  hub.stop();
  vi.useRealTimers();
});

/** A client that reads nothing until asked. */
function client(options: { userId?: string; expiresInMs?: number; stillAllowed?: () => Promise<boolean> } = {}) {
  const raw = Object.assign(new PassThrough({ highWaterMark: 1 }), { writeHead: () => raw });
  const reply = { raw, hijack: () => reply, getHeaders: () => ({}) } as unknown as FastifyReply;
  const leave = new AbortController();
  const opened = hub.subscribe({
    tenant: 'tenant-1',
    userId: options.userId ?? 'user-1',
    reply,
    signal: leave.signal,
    stillAllowed: options.stillAllowed ?? (async () => true),
    expiresAt: new Date(Date.now() + (options.expiresInMs ?? 300_000)),
  });
  return { opened, raw, leave };
}

function idsIn(raw: PassThrough): string[] {
  let text = '';
  for (let chunk = raw.read(); chunk !== null; chunk = raw.read()) text += String(chunk);
  return [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => String(id));
}

/** Checks that take a while, as those of a database do. */
function slowChecks(tookMs: number) {
  let asked = 0;
  let running = 0;
  let most = 0;
  return {
    asked: () => asked,
    mostAtOnce: () => most,
    async check() {
      asked++;
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, tookMs));
      running--;
      return true;
    },
  };
}

describe('stream hub', () => {
  it('says every fifteen seconds that it lives', async () => {
    const { raw } = client();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(String(raw.read()) + String(raw.read()) + String(raw.read())).toContain(': alive');
  });

  it('ends a stream the moment its token expires', async () => {
    const { raw } = client({ expiresInMs: 5_000 });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(raw.writableEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(raw.writableEnded).toBe(true);
    expect(hub.openStreams()).toBe(0);
  });

  it('ends a stream whose right to stay cannot be found out', async () => {
    const { raw } = client({ stillAllowed: () => Promise.reject(new Error('the database is away')) });
    hub.recheckAll();
    await vi.advanceTimersByTimeAsync(0);
    expect(raw.writableEnded).toBe(true);
  });

  it('asks for streams that were opened in one moment a few at a time, and for each once in a heartbeat', async () => {
    const checks = slowChecks(50);
    for (let n = 0; n < 300; n++) client({ userId: `user-${n}`, stillAllowed: checks.check });
    for (let second = 1; second <= 15; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(checks.asked()).toBeLessThanOrEqual(second * 20);
    }
    await vi.advanceTimersByTimeAsync(500);
    expect(checks.asked()).toBe(300);
    expect(checks.mostAtOnce()).toBeLessThanOrEqual(4);
  });

  it('asks first for those whose access changed', async () => {
    const checks = slowChecks(50);
    for (let n = 0; n < 300; n++) client({ userId: `user-${n}`, stillAllowed: checks.check });
    const removed = client({ userId: 'removed', stillAllowed: async () => false });
    hub.recheckAll();
    hub.recheckUser('removed');
    await vi.advanceTimersByTimeAsync(100);
    expect(removed.raw.writableEnded).toBe(true);
    expect(checks.asked()).toBeLessThan(20);
  });

  it('asks again when access changes while it is being asked for', async () => {
    let allowed = true;
    const { raw } = client({
      stillAllowed: async () => {
        const seen = allowed;
        await new Promise((done) => setTimeout(done, 50));
        return seen;
      },
    });
    hub.recheckUser('user-1');
    allowed = false;
    hub.recheckUser('user-1');
    await vi.advanceTimersByTimeAsync(100);
    expect(raw.writableEnded).toBe(true);
  });

  it('tells first what changed while a stream was on its way, of each kind once and of its tenant alone', async () => {
    const change = (kind: 'case' | 'run', id: string, tenant = 'tenant-1') => hub.publish({ tenant, kind, id });
    change('run', 'long-ago');
    await vi.advanceTimersByTimeAsync(4_000);
    change('case', 'first');
    change('case', 'second');
    change('case', 'foreign', 'tenant-2');
    await vi.advanceTimersByTimeAsync(2_000);
    const { raw } = client();
    change('case', 'third');
    expect(idsIn(raw)).toEqual(['second', 'third']);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(idsIn(client().raw)).toEqual([]);
  });

  it('tells nothing of before for longer when the clock is put back', () => {
    hub.publish({ tenant: 'tenant-1', kind: 'case', id: 'before' });
    vi.setSystemTime(new Date('2026-11-21T11:00:00.000Z'));
    expect(idsIn(client().raw)).toEqual([]);
  });

  it('cuts off a client that does not read, before it costs memory', () => {
    const { raw } = client();
    for (let n = 0; n < 2_000; n++) hub.publish({ tenant: 'tenant-1', kind: 'case', id: `${n}`.padStart(36, '0') });
    expect(raw.destroyed).toBe(true);
    expect(raw.writableLength).toBeLessThan(70_000);
    expect(hub.openStreams()).toBe(0);
  });

  it('forgets a client that went away', () => {
    const { leave } = client();
    expect(hub.openStreams()).toBe(1);
    leave.abort();
    expect(hub.openStreams()).toBe(0);
  });
});
