import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { createAccountMails } from './account-mails.ts';
import type { AfterAnswer } from './after-answer.ts';
import { createAttemptGuard } from './attempt-guard.ts';
import type { AuthAnswer, AuthCall } from './auth-call.ts';
import { openIdentityPool } from './identity-pool.ts';
import { createMailCodes } from './mail-codes.ts';
import { createPasswordHashes } from './password-hash.ts';
import { createPasswordRecovery } from './password-recovery.ts';
import { createPasswordStore } from './password-store.ts';
import { createRecoveryBrowser } from './recovery-browser.ts';
import { createRecoveryCalls } from './recovery-calls.ts';
import { createSignedCookies } from './signed-cookies.ts';
import { createWorkLimit } from './work-limit.ts';

let server: TestServer;
let pool: pg.Pool;
/** Every statement until the answer, in order. */
let statements: string[] = [];
let hashings = 0;
let later: (() => Promise<void>)[] = [];

const now = () => new Date();
const log = { warn: () => undefined, error: () => undefined };

beforeAll(async () => {
  server = await createTestServer();
  pool = openIdentityPool({ url: server.stores.url, log });
});
afterAll(async () => {
  await pool?.end();
  await server?.close();
});

/** The real calls on the real database, with every statement and hashing noted. */
function watchedCalls() {
  const watched = watchedPool(pool);
  const guard = createAttemptGuard({ pool: watched, now });
  const secret = 'x'.repeat(48);
  const recovery = createPasswordRecovery({
    db: watchedDatabase(server.stores.database),
    mail: server.composition.mail,
    mails: createAccountMails({ productName: 'AIRdeck', ownAddress: () => 'http://localhost' }),
    codes: createMailCodes({ pool: watched, guard, secret, now, randomBytes }),
    passwords: createPasswordStore({
      ...{ pool: watched, now },
      hashes: createPasswordHashes({ cost: async () => ({ n: 2 ** 10, r: 8, p: 1 }), randomBytes }),
      limit: (work) => {
        hashings++;
        return createWorkLimit({ parallel: 1, waiting: 1 })(work);
      },
    }),
    record: async () => undefined,
    now,
  });
  const afterAnswer: AfterAnswer = {
    start: (work) => {
      later.push(work);
    },
    settled: async () => undefined,
  };
  const cookies = createSignedCookies({ secret, secure: false });
  // The same for everybody, so that answers compare.
  const browsers = createRecoveryBrowser({ cookies, randomBytes: (size) => Buffer.alloc(size, 1) });
  return createRecoveryCalls({ recovery, afterAnswer, browsers });
}

function watchedPool(real: pg.Pool): pg.Pool {
  const note =
    (query: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      statements.push(String(args[0]));
      return query(...args);
    };
  return new Proxy(real, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (key === 'query') return note(target.query.bind(target) as never);
      if (key === 'connect') {
        return async () => {
          const client = await target.connect();
          const query = client.query.bind(client);
          const release = client.release.bind(client);
          return { query: note(query as never), release };
        };
      }
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function watchedDatabase(database: Database): Pick<Database, 'system'> {
  return {
    system: (work) =>
      database.system((tx) => {
        const watched = new Proxy(tx, {
          get(target, key) {
            const value: unknown = Reflect.get(target, key, target);
            if (key === 'executeQuery') {
              return (query: { sql: string }) => {
                statements.push(query.sql);
                return target.executeQuery(query as never);
              };
            }
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
        return work(watched as Tx);
      }),
  };
}

async function workOf(row: 'POST /forgot-password' | 'POST /confirm-code' | 'POST /reset-password', body: object) {
  const handlers = watchedCalls();
  statements = [];
  later = [];
  hashings = 0;
  const call = { id: row, body, clientAddress: '192.0.2.1', requestId: 'test' } as unknown as AuthCall<never>;
  const answer: AuthAnswer = await handlers[row](call);
  return { answer, statements: [...statements], hashings, later: later.length };
}

describe('before the answer, a known and an unknown address cost the same statements and hashing', () => {
  it.each([
    ['POST /forgot-password', {}],
    ['POST /confirm-code', { code: '12345678' }],
    ['POST /reset-password', { code: '12345678', password: 'tulip-margin-orbit-42' }],
    ['POST /reset-password', { code: '12345678', password: 'short' }],
  ] as const)('%s', async (row, body) => {
    const home = await server.createTenant();
    const actor = await server.createActor({ home, roles: { [home]: 'Analyst' } });
    const known = await workOf(row, { ...body, email: actor.email });
    const unknown = await workOf(row, { ...body, email: `unknown-${actor.email}` });
    expect(known).toEqual(unknown);
    expect(known.statements.length).toBeGreaterThan(0);
  });
});
