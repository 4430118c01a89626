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
function client(options: { expiresInMs?: number; stillAllowed?: () => Promise<boolean> } = {}) {
  const raw = Object.assign(new PassThrough({ highWaterMark: 1 }), { writeHead: () => raw });
  const reply = { raw, hijack: () => reply, getHeaders: () => ({}) } as unknown as FastifyReply;
  const leave = new AbortController();
  const opened = hub.subscribe({
    tenant: 'tenant-1',
    userId: 'user-1',
    reply,
    signal: leave.signal,
    stillAllowed: options.stillAllowed ?? (async () => true),
    expiresAt: new Date(Date.now() + (options.expiresInMs ?? 300_000)),
  });
  return { opened, raw, leave };
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
    await hub.recheckAll();
    expect(raw.writableEnded).toBe(true);
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
