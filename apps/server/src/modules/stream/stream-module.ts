import { sql } from 'kysely';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Change, ChangeFeed, Changes } from './changes.ts';
import { createStreamHub, type StreamHub, type StreamLog } from './stream-hub.ts';

const CHANNEL = 'airdeck_changes';

type Dependencies = {
  db: Pick<Database, 'listen'>;
  log: StreamLog;
  now: () => Date;
  heartbeatMs?: number;
};

export type StreamModule = {
  changes: Changes;
  feed: ChangeFeed;
  hub: StreamHub;
  handlers: Handlers<'stream.subscribe'>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

async function announceAll(tx: Tx, changes: readonly Change[]): Promise<void> {
  const payloads = changes.map((change) => JSON.stringify(change));
  await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) payload`.execute(tx);
}

export function createStreamModule(deps: Dependencies): StreamModule {
  const hub = createStreamHub(deps);
  let unlisten: (() => Promise<void>) | undefined;

  return {
    hub,
    changes: {
      announce: (tx, change) => announceAll(tx, [change]),
      announceAll,
    },
    feed: {
      listen: ({ changed, hears, deaf }) =>
        deps.db.listen(CHANNEL, (payload) => changed(JSON.parse(payload) as Change), hears, deaf),
    },
    handlers: {
      'stream.subscribe': async (_request, { scope, caller, raw, signal, session }) => {
        const opened = hub.subscribe({
          tenant: scope.tenantId,
          userId: caller.userId,
          reply: raw.reply,
          signal,
          ...session,
        });
        if (!opened) throw new AppError('OVERLOADED', { retryAfterS: 30 });
        return undefined;
      },
    },
    async start() {
      unlisten = await deps.db.listen(
        CHANNEL,
        (payload) => hub.publish(JSON.parse(payload) as Change),
        // Something may have been missed: whoever reconnects reads everything afresh.
        () => hub.closeAll(),
      );
      hub.start();
    },
    async stop() {
      hub.stop();
      await unlisten?.();
    },
  };
}
