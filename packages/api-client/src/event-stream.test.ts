import { afterEach, describe, expect, test } from 'vitest';
import { backoffMs, keepStreamOpen, type StreamState } from './event-stream.ts';

const openStreams: AbortController[] = [];
afterEach(() => {
  for (const stream of openStreams.splice(0)) stream.abort();
});

/** A stream against a scripted server, with timers that fire only when told. */
function setUp(script: ('drop' | number | string[])[]) {
  const closed = new AbortController();
  openStreams.push(closed);
  const states: StreamState[] = [];
  const messages: unknown[] = [];
  const timers: { milliseconds: number; callback: () => void }[] = [];
  const seen = { asked: 0, refreshes: 0, unauthorized: 0 };
  const lastIds: (string | null)[] = [];
  const ended = keepStreamOpen(
    {
      fetch: async (_url, init) => {
        seen.asked += 1;
        lastIds.push(new Headers(init?.headers).get('last-event-id'));
        const step = script.shift();
        if (step === undefined) return new Response(endlessBody(init?.signal), { status: 200 });
        if (step === 'drop') throw new TypeError('fetch failed');
        if (typeof step === 'number') return new Response('', { status: step });
        return new Response(new Blob(step).stream(), { status: 200 });
      },
      getToken: async (options) => {
        if (options?.refresh === true) seen.refreshes += 1;
        return 'token';
      },
      onUnauthorized: () => {
        seen.unauthorized += 1;
      },
      after: (milliseconds, callback) => {
        const timer = { milliseconds, callback };
        timers.push(timer);
        return () => {
          const at = timers.indexOf(timer);
          if (at !== -1) timers.splice(at, 1);
        };
      },
      random: () => 1,
      silenceMs: 45_000,
    },
    '/stream',
    { onMessage: (data) => messages.push(data), onState: (state) => states.push(state) },
    closed.signal,
  );
  const fire = (milliseconds: number) => timers.find((timer) => timer.milliseconds === milliseconds)?.callback();
  return { states, messages, timers, seen, lastIds, closed, ended, fire };
}

/** A body without a byte that ends as fetch ends it: with an error when its signal aborts. */
function endlessBody(signal: AbortSignal | null | undefined): ReadableStream {
  return new ReadableStream({
    start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
  });
}

/** Lets everything that is already under way come to rest. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !condition(); turn += 1) await settle();
  expect(condition()).toBe(true);
}

describe('the stream', () => {
  test('delivers decoded messages and skips what is not JSON', async () => {
    const { messages, states } = setUp([[': hi\n\ndata: {"id":"1"}\n\n', 'data: nonsense\n\n', 'data: 2\n\n']]);
    await until(() => states.includes('lost'));
    expect(messages).toEqual([{ id: '1' }, 2]);
    expect(states).toEqual(['connecting', 'open', 'lost']);
  });

  test('waits longer after every failure, and starts over after a good connection', async () => {
    const { timers, fire, states } = setUp(['drop', 500, 'drop', ['data: 1\n\n'], 'drop']);
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await until(() => states.at(-1) === 'lost' && timers.length === 1);
      const wait = timers[0]?.milliseconds ?? 0;
      waits.push(wait);
      states.length = 0;
      fire(wait);
    }
    expect(waits).toEqual([1000, 2000, 4000, 1000]);
  });

  test('a connection that falls silent counts as lost', async () => {
    const { states, fire, timers } = setUp([]);
    await until(() => states.includes('open'));
    fire(45_000);
    await until(() => states.includes('lost'));
    await until(() => timers.length === 1);
    expect(timers[0]?.milliseconds).toBe(1000);
  });

  test('an expired token is refreshed at once', async () => {
    const { states, seen } = setUp([401]);
    await until(() => states.includes('open'));
    expect(seen).toEqual({ asked: 2, refreshes: 1, unauthorized: 0 });
  });

  test('a fresh token that is refused too ends the session and the stream', async () => {
    const { ended, seen } = setUp([401, 401]);
    await ended;
    expect(seen).toEqual({ asked: 2, refreshes: 1, unauthorized: 1 });
  });

  test.each([400, 403, 404, 410])('status %i ends it: asking again would only be refused again', async (status) => {
    const { ended, seen, states } = setUp([status]);
    await ended;
    expect(seen.asked).toBe(1);
    expect(states).toEqual(['connecting', 'refused']);
  });

  test.each([408, 425, 429, 503])('status %i is of the moment: it is asked again', async (status) => {
    const { states, fire, timers } = setUp([status]);
    await until(() => timers.some(({ milliseconds }) => milliseconds === 1000));
    fire(1000);
    await until(() => states.includes('open'));
  });

  test('that breaks off goes on where the last whole message was', async () => {
    const { states, timers, fire, lastIds } = setUp([['id: 7\ndata: 1\n\n', 'id: 8\n\nid: 9\ndata: cut'], 'drop']);
    for (let round = 0; round < 2; round += 1) {
      await until(() => states.at(-1) === 'lost' && timers.length === 1);
      states.length = 0;
      fire(timers[0]?.milliseconds ?? 0);
    }
    await until(() => states.includes('open'));
    expect(lastIds).toEqual([null, '8', '8']);
  });

  test('closing it leaves no timer and no connection behind', async () => {
    const { closed, ended, timers, states } = setUp([]);
    await until(() => states.includes('open'));
    closed.abort();
    await ended;
    expect(timers).toEqual([]);
  });

  test('closing it while it waits ends the wait', async () => {
    const { closed, ended, timers } = setUp(['drop']);
    await until(() => timers.some(({ milliseconds }) => milliseconds === 1000));
    closed.abort();
    await ended;
    expect(timers).toEqual([]);
  });
});

test('the wait is capped at thirty seconds and never less than half of its ceiling', () => {
  expect([1, 2, 5, 6, 50].map((failures) => backoffMs(failures, () => 1))).toEqual([
    1000, 2000, 16_000, 30_000, 30_000,
  ]);
  expect(backoffMs(6, () => 0)).toBe(15_000);
});
