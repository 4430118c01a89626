/** Actions of a connector that does not answer, over real connections to servers that are bad in one way each. */
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createEgress, type GuardedEgress } from '@airdeck/connector-kit/egress';
import { httpRequest } from '@airdeck/connectors/http-request/http-request';
import type { JsonObject } from '@airdeck/contracts/fields';
import { StepFailure } from '@airdeck/engine/errors';
import { afterEach, describe, expect, test } from 'vitest';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { type ActionRunner, createActionRunner } from './action-runner.ts';
import { createCircuitBreakers, OPEN_MS } from './circuit-breaker.ts';

/** Of a call to a system that is known not to answer; others have all the time they need. */
const LIMIT_MS = 300;
const scope = trustedTenantScope('00000000-0000-4000-8000-000000000001');
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n';

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** What becomes of a connection once a request has come over it. */
type Badness = (socket: Socket) => void;

const bad: readonly (readonly [name: string, badness: Badness])[] = [
  ['that never answers', () => undefined],
  ['that answers late', (socket) => later(socket, () => socket.end(`${head}${' '.repeat(98)}{}`), 20 * LIMIT_MS)],
  ['that hangs up at once', (socket) => socket.destroy()],
  [
    'that resets in the middle of the body',
    (socket) => socket.write(`${head}{"some":`, () => socket.resetAndDestroy()),
  ],
  ['that stops in the middle of the body', (socket) => socket.write(`${head}{"some":`)],
  ['that sends a byte at a time', (socket) => trickle(socket, head)],
  ['that is closed half', (socket) => socket.end()],
  ['that is down behind its gateway', (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')],
];

function later(socket: Socket, work: () => void, ms: number): void {
  const timer = setTimeout(work, ms);
  socket.on('close', () => clearTimeout(timer));
}

function trickle(socket: Socket, text: string): void {
  if (socket.destroyed || text === '') return;
  socket.write(text.slice(0, 1));
  later(socket, () => trickle(socket, text.slice(1)), LIMIT_MS / 4);
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function startBad(badness: Badness): Promise<{ port: number; mend(): void; requests(): number }> {
  let now = badness;
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      now(socket);
    });
  });
  const port = await listening(server);
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const mend = () => {
    now = (socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      );
  };
  return { port, mend, requests: () => requests };
}

async function startGood(): Promise<number> {
  const server = createHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  const port = await listening(server);
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return port;
}

/** Connectors by their ports; `configured` counts how often they were changed. */
function setUp(ports: { bad: number; good?: number }) {
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z') };
  const configured = { times: 0 };
  const hopeless = { isSo: false };
  const egress: GuardedEgress = createEgress({
    allowLoopback: Object.values(ports).map((port) => ({ host: '127.0.0.1', port })),
  });
  closing.push(() => egress.close());
  const circuits = createCircuitBreakers({ now: () => new Date(clock.ms) });
  const runner = createActionRunner({
    db: { tenant: (_, work) => work({} as never) },
    catalogue: {
      find: async (name) => httpRequest.actions.find(({ action_id }) => action_id === name),
      checkInput: () => [],
    },
    connectors: {
      open: async (_tx, _scope, { connectorId }) => ({
        id: connectorId ?? '',
        config: { base_url: `http://127.0.0.1:${ports[connectorId as 'bad']}` },
        secrets: [],
        changedAt: new Date(configured.times),
      }),
    },
    egress: {
      request: (request) =>
        egress.request(
          hopeless.isSo && request.url.includes(`:${ports.bad}/`) ? { ...request, timeoutMs: LIMIT_MS } : request,
        ),
    },
    circuits,
    now: () => new Date(clock.ms),
  });
  const marks = { made: 0 };
  return {
    clock,
    configured,
    hopeless,
    marks,
    circuits,
    get: (connectorId: string, signal?: AbortSignal) =>
      call(runner, 'http_request.get', { connectorId, marks, signal }),
    send: (connectorId: string) => call(runner, 'http_request.send', { connectorId, marks, signal: undefined }),
  };
}

type Calling = { connectorId: string; marks: { made: number }; signal: AbortSignal | undefined };

async function call(runner: ActionRunner, actionName: string, { connectorId, marks, signal }: Calling) {
  return await runner
    .run({
      ...{ scope, actionName, connectorId, input: { path: '/x', json: {} } satisfies JsonObject },
      idempotencyKey: 'key',
      signal: signal ?? new AbortController().signal,
      async beforeCall() {
        marks.made += 1;
      },
    })
    .then(
      () => 'answered' as const,
      (error: unknown) => {
        if (!(error instanceof StepFailure)) throw error;
        return error;
      },
    );
}

async function codes(results: Promise<StepFailure | 'answered'>[]): Promise<string[]> {
  return (await Promise.all(results)).map((result) => (result === 'answered' ? result : result.code));
}

const open = { code: 'CIRCUIT_OPEN', retryable: true, outcomeUnknown: false, isPostponed: true };

describe('a system', () => {
  test.each(bad)('%s: each call ends with a code, then none is made; those of others go on', async (_name, badness) => {
    const wrong = await startBad(badness);
    const { get, send, clock, hopeless, marks } = setUp({ bad: wrong.port, good: await startGood() });
    hopeless.isSo = true;
    const failing = codes([get('bad'), get('bad'), get('bad'), send('bad'), send('bad')]);
    expect(await codes([get('good'), get('good'), send('good')])).toEqual(['answered', 'answered', 'answered']);
    for (const code of await failing) expect(['TIMEOUT', 'CONNECT_FAILED', 'VENDOR_UNAVAILABLE']).toContain(code);

    const [asked, marked] = [wrong.requests(), marks.made];
    expect(await send('bad')).toMatchObject({
      ...open,
      message: 'This integration did not answer 5 times in a row. The next call is tried in 30 s.',
      retryAfterMs: OPEN_MS,
    });
    clock.ms += OPEN_MS - 20_000;
    expect(await get('bad')).toMatchObject({ ...open, retryAfterMs: 20_000 });
    expect(await get('good')).toBe('answered');
    expect([wrong.requests(), marks.made]).toEqual([asked, marked]);

    clock.ms += 20_000;
    hopeless.isSo = false;
    wrong.mend();
    expect(await get('bad')).toBe('answered');
    expect(await codes([get('bad'), send('bad')])).toEqual(['answered', 'answered']);
  });

  test('that stays away is asked once in half a minute, and nobody else meanwhile', async () => {
    const wrong = await startBad(() => undefined);
    const { get, clock, hopeless, circuits } = setUp({ bad: wrong.port });
    hopeless.isSo = true;
    await codes(Array.from({ length: 5 }, () => get('bad')));
    clock.ms += OPEN_MS;
    const asked = wrong.requests();
    const probe = get('bad');
    expect(await get('bad')).toMatchObject({
      ...open,
      message: 'This integration did not answer 5 times in a row. One call is being tried now.',
    });
    expect(await codes([probe, get('bad')])).toEqual(['TIMEOUT', 'CIRCUIT_OPEN']);
    expect(await get('bad')).toMatchObject({ retryAfterMs: OPEN_MS });
    expect(wrong.requests()).toBe(asked + 1);
    expect(circuits.counts()).toEqual({ opened: 1, refused: 3 });
  });

  test('that is away is called at once when its connector was configured anew', async () => {
    const wrong = await startBad((socket) => socket.destroy());
    const { get, configured } = setUp({ bad: wrong.port });
    await codes(Array.from({ length: 5 }, () => get('bad')));
    expect(await get('bad')).toMatchObject(open);
    configured.times += 1;
    wrong.mend();
    expect(await get('bad')).toBe('answered');
  });

  test('that cannot be reached at all is left alone as well', async () => {
    const gone = createServer();
    const port = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    const { get } = setUp({ bad: port });
    expect(await codes(Array.from({ length: 5 }, () => get('bad')))).toEqual(Array(5).fill('CONNECT_FAILED'));
    expect(await get('bad')).toMatchObject(open);
  });

  test.each([400, 401, 403, 404, 409, 422, 429])('that refuses with %i answers, however often', async (status) => {
    const refusing = await startBad((socket) =>
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`),
    );
    const { get } = setUp({ bad: refusing.port });
    for (const code of await codes(Array.from({ length: 12 }, () => get('bad')))) expect(code).toMatch(/^VENDOR_/);
  });

  test('does not count as away for calls that people stop, and does for those whose time is over, where they had some', async () => {
    const silent = await startBad(() => undefined);
    const { get } = setUp({ bad: silent.port });
    const stopped = AbortSignal.abort(new Error('Somebody cancelled it.'));
    expect(await codes(Array.from({ length: 12 }, () => get('bad', stopped)))).toEqual(Array(12).fill('ABORTED'));
    expect(await attemptsOver(9_999)).toBe(false);
    expect(await attemptsOver(10_000)).toBe(true);
  });

  /** Whether five attempts in a row that nobody answers, and whose time is over after so long, open the circuit. */
  async function attemptsOver(afterMs: number): Promise<boolean> {
    let isOver: () => void = () => undefined;
    const silent = await startBad(() => isOver());
    const { clock, get } = setUp({ bad: silent.port });
    for (let made = 1; made <= 5; made++) {
      const timeout = new AbortController();
      isOver = () => {
        clock.ms += afterMs;
        timeout.abort(new DOMException('The attempt timed out.', 'TimeoutError'));
      };
      expect(await codes([get('bad', timeout.signal)])).toEqual(['ABORTED']);
    }
    const stopped = AbortSignal.abort(new Error('Somebody cancelled it.'));
    const [next] = await codes([get('bad', stopped)]);
    return next === 'CIRCUIT_OPEN';
  }
});
