/**
 * What authorization has to know about a caller, kept for a moment: who they are and what they are in a tenant, and
 * which API key they use. Without it every request would cost a transaction of its own.
 *
 * What always holds:
 * - A change this process commits counts for the next request: the commit empties the cache before its caller goes on.
 * - A change another process commits counts within a second: it is announced when it commits, and no answer is kept
 *   longer than that anyway, so a lost announcement or a broken listener costs no more.
 * - While announcements cannot be heard, nothing is kept.
 * - An answer that was asked for before a change is given, but never kept: it may be older than the change.
 * - "No such user", "not a member" and "no such tenant" are answers like every other: kept alike, as long, at one cost.
 * A crash loses nothing: the cache is empty at the start, and off until it hears announcements.
 */
import { createHash } from 'node:crypto';
import { createAskedTogether } from '../../asked-together.ts';
import type { Database } from '../../storage/database.ts';
import { createReadCache } from '../../storage/read-cache.ts';
import type { Tx } from '../../storage/schema.ts';
import { TOUCH_EVERY_MS } from '../me/api-keys-port.ts';
import { ACCESS_CHANNEL } from './tenants-migrations.ts';
import type { Access, TenantsService, UserKey } from './tenants-port.ts';

const KEPT_FOR_MS = 1000;
const KEPT_MAX = 10_000;
/** Keys not seen before are looked up together: a flood of keys nobody has costs one question at a time, on one connection. */
const STRANGERS_AT_ONCE = 500;
const STRANGERS_WAITING_MAX = 5_000;
const ACQUAINTED_MAX = 10_000;
const ACCESS_TABLES = ['tenant', 'app_user', 'membership'] as const;

export type AccessCache<Key> = {
  findAccess(user: UserKey, tenantId: string): Promise<Access | undefined>;
  /** The live key of that text. Passes by the cache when its last use has to be noted. */
  findKey(key: string): Promise<Key | undefined>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

type LiveKey = { expires_at: Date; last_used_at: Date | null };

type Dependencies<Key> = {
  db: Pick<Database, 'system' | 'listen' | 'afterCommit'>;
  now: () => Date;
  tenants: Pick<TenantsService, 'findAccess'>;
  apiKeys: {
    findLive(tx: Tx, key: string): Promise<Key | undefined>;
    areLive(tx: Tx, keys: readonly string[]): Promise<boolean[]>;
  };
};

export function createAccessCache<Key extends LiveKey>(deps: Dependencies<Key>): AccessCache<Key> {
  const { db, now } = deps;
  const bounds = { keptForMs: KEPT_FOR_MS, max: KEPT_MAX, now };
  const accesses = createReadCache<Access | undefined>(bounds);
  const keys = createReadCache<Key | undefined>(bounds);
  const both = [accesses, keys];
  const clear = () => {
    for (const cache of both) cache.clear();
  };
  const setOn = (isOn: boolean) => {
    for (const cache of both) cache.setOn(isOn);
  };
  const ends: (() => unknown)[] = [];
  const isLive = createAskedTogether<string, boolean>({
    ask: (texts) => db.system((tx) => deps.apiKeys.areLive(tx, texts)),
    most: STRANGERS_AT_ONCE,
    waiting: STRANGERS_WAITING_MAX,
  });
  /** Hashes of keys that were right once. */
  const acquainted = new Set<string>();

  async function readKey(text: string, hash: string): Promise<Key | undefined> {
    if (!acquainted.has(hash) && !(await isLive(text))) return undefined;
    const key = await db.system((tx) => deps.apiKeys.findLive(tx, text));
    if (key !== undefined && acquainted.size < ACQUAINTED_MAX) acquainted.add(hash);
    return key;
  }

  return {
    findAccess: (user, tenantId) =>
      accesses.get(`${nameOf(user)} ${tenantId}`, () => db.system((tx) => deps.tenants.findAccess(tx, user, tenantId))),
    async findKey(text) {
      const hash = createHash('sha256').update(text).digest('base64');
      const find = () => readKey(text, hash);
      const key = await keys.get(hash, find);
      if (key === undefined) return undefined;
      const at = now().getTime();
      if (key.expires_at.getTime() <= at) return undefined;
      const isNoted = key.last_used_at !== null && at - key.last_used_at.getTime() < TOUCH_EVERY_MS;
      return isNoted ? key : await keys.refresh(hash, find);
    },
    async start() {
      ends.push(db.afterCommit(ACCESS_TABLES, () => accesses.clear()));
      // Apart: noting the last use of a key writes to its table as well.
      ends.push(db.afterCommit(['api_key'], () => keys.clear()));
      const [hear, deafen] = [() => setOn(true), () => setOn(false)];
      ends.push(await db.listen(ACCESS_CHANNEL, clear, hear, deafen));
      setOn(true);
    },
    async stop() {
      setOn(false);
      for (const end of ends.splice(0)) await end();
    },
  };
}

function nameOf(user: UserKey): string {
  return 'userId' in user ? `user ${user.userId}` : `identity ${JSON.stringify([user.issuer, user.subject])}`;
}
