import { type AuditVerdictOnWire, auditVerdictSchema } from '@airdeck/contracts/audit/schema';
import { beforeEach, describe, expect, it } from 'vitest';
import { ask, serverFor } from './server-access.ts';
import type { Surroundings } from './surroundings.ts';

const verdict: AuditVerdictOnWire = { intact: true, records: 1, head: 'abcd', broken: null };
let answers: (() => Response)[];
let waits: number[];

beforeEach(() => {
  [answers, waits] = [[], []];
});

function surroundings(env: Record<string, string> = {}): Surroundings {
  return {
    env,
    fetch: async () => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? Response.error(),
    now: () => 0,
    wait: async (milliseconds) => void waits.push(milliseconds),
    result: () => undefined,
    say: () => undefined,
    interrupted: new AbortController().signal,
  };
}

const asking = () =>
  ask(
    surroundings(),
    { url: 'http://server.test', token: 'aird_key' },
    { path: '/api/x', schema: auditVerdictSchema, kind: 'a verdict' },
  );

const refusal =
  (status: number, body: object, headers = {}) =>
  () =>
    Response.json(body, { status, headers });
const tooMany = (seconds: string) =>
  refusal(429, { code: 'RATE_LIMITED', message: 'Too many requests.' }, { 'retry-after': seconds });

describe('the server of the environment', () => {
  const serverOf = (env: Record<string, string>) => serverFor(surroundings(env), 'any');

  it('is the one of this machine where only a key is given', async () => {
    const token = 'aird_key';
    expect(await serverOf({ AIRDECK_TOKEN: ` ${token} ` })).toEqual({ url: 'http://localhost:4000', token });
    const url = 'https://airdeck.example.com';
    expect(await serverOf({ AIRDECK_TOKEN: token, AIRDECK_URL: url })).toEqual({ url, token });
  });

  it.each(['airdeck.example.com', 'airdeck.example.com:4000', 'ftp://example.com', 'https://ana:hunter2@example.com'])(
    'is no server at %s, which is wrong input and not repeated: it may hold a password',
    async (AIRDECK_URL) => {
      await expect(serverOf({ AIRDECK_TOKEN: 'aird_key', AIRDECK_URL })).rejects.toMatchObject({
        ...{ code: 'URL_INVALID', exitCode: 2 },
        message: expect.not.stringContaining('hunter2'),
      });
    },
  );

  it('is not replaced by the demo when its key was forgotten', async () => {
    const forgotten = serverOf({ AIRDECK_URL: 'https://airdeck.example.com', AIRDECK_TOKEN: ' ' });
    await expect(forgotten).rejects.toMatchObject({ code: 'TOKEN_MISSING', exitCode: 2 });
  });
});

describe('a call', () => {
  it('that was one too many is made again after the time the server names', async () => {
    answers = [tooMany('2'), tooMany('3'), () => Response.json(verdict)];
    expect(await asking()).toEqual(verdict);
    expect(waits).toEqual([2_000, 3_000]);
  });

  it('is given up when the server asks for more than a minute in all, or names no time', async () => {
    answers = [tooMany('25')];
    await expect(asking()).rejects.toMatchObject({ code: 'RATE_LIMITED', exitCode: 1 });
    expect(waits).toEqual([25_000, 25_000]);
    answers = [refusal(429, { code: 'RATE_LIMITED', message: 'Too many requests.' })];
    await expect(asking()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(waits).toHaveLength(2);
  });

  it('with a value that is wrong says which', async () => {
    const details = [{ path: 'body.license', message: 'Too long.' }];
    answers = [refusal(400, { code: 'VALIDATION_FAILED', message: 'The request is not valid.', details })];
    await expect(asking()).rejects.toMatchObject({
      ...{ code: 'VALIDATION_FAILED', exitCode: 2 },
      message: 'The request is not valid.\nbody.license: Too long.',
    });
  });

  it.each([
    ['no JSON', () => new Response('<html>', { status: 502 })],
    ['JSON of somebody else', () => Response.json(null, { status: 502 })],
  ])('refused with %s is reported by its status', async (_name, answer) => {
    answers = [answer];
    await expect(asking()).rejects.toMatchObject({ code: 'REFUSED', message: 'The server answered 502.', exitCode: 1 });
  });
});
