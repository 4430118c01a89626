/**
 * Holds everything back that acts on the outside after a restore: what the backup says is due was done since by the
 * installation the backup was taken from, and must not happen a second time.
 *
 * States of its one row: none, or `lifted` (open) · `restoring` (a restore is under way, or broke off) · `up` (restored,
 * nothing acts) → `lifted` by `airdeck restore --lift-fence`. It only ever goes up in an empty database, so a process that
 * found it open never has to look again; one that found it up waits for the announcement, and looks every few seconds in
 * case it was missed. Work handed to `behind` begins at once, or in the order it came when the fence is lifted.
 */
import type { EgressRequest, GuardedEgress } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { Route } from '@airdeck/contracts/route';
import { routeTable } from '@airdeck/contracts/route-table';
import { AppError } from '../../http/app-error.ts';
import type { AllHandlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { StorageLog } from '../../storage/storage-log.ts';

/** Payload: nothing. */
export const RESTORE_FENCE_CHANNEL = 'airdeck_restore_fence';

const LOOK_EVERY_MS = 5_000;

export type RestoreFence = {
  isUp(): boolean;
  /** Begins the work at once, or when the fence is lifted; never after `stop`. */
  behind(work: () => Promise<void>): Promise<void>;
  /** Calls through it are refused while the fence is up. */
  guard(egress: GuardedEgress): GuardedEgress;
  /** Handlers of routes that act, refusing while the fence is up. */
  refuseActing(handlers: AllHandlers): AllHandlers;
  stop(): Promise<void>;
};

type Dependencies = {
  db: Pick<Database, 'system' | 'listen'>;
  log: Pick<StorageLog, 'info' | 'warn' | 'error'>;
};

export async function openRestoreFence({ db, log }: Dependencies): Promise<RestoreFence> {
  const waiting: (() => Promise<void>)[] = [];
  let up = await isRaised(db);
  let unlisten: (() => Promise<void>) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  function look(): void {
    looking = looking.then(async () => {
      if (!up || (await isRaised(db))) return;
      up = false;
      clearInterval(timer);
      log.info({}, 'the restore fence was lifted: what waited begins');
      for (const work of waiting.splice(0)) {
        // What does not begin must not keep the others from it.
        await work().catch((error: unknown) => log.error({ err: error }, 'did not begin behind the restore fence'));
      }
    });
    looking = looking.catch((error: unknown) => log.warn({ err: error }, 'the restore fence could not be looked at'));
  }

  if (up) {
    log.warn({}, 'restored from a backup: nothing acts until "airdeck restore --lift-fence"');
    unlisten = await db.listen(RESTORE_FENCE_CHANNEL, look, look);
    timer = setInterval(look, LOOK_EVERY_MS).unref();
  }

  const refuseCall = () => {
    if (!up) return;
    throw new EgressError('EGRESS_DENIED', refusal('EGRESS_FENCED'));
  };

  return {
    isUp: () => up,
    async behind(work) {
      if (up) waiting.push(work);
      else await work();
    },
    guard: (egress) => ({
      ...egress,
      async request(request: EgressRequest) {
        refuseCall();
        return await egress.request(request);
      },
      async probe(request) {
        refuseCall();
        return await egress.probe(request);
      },
      ...(egress.openSocket === undefined ? {} : { openSocket: guardedSocket(egress.openSocket, refuseCall) }),
    }),
    refuseActing: (handlers) => {
      const guarded = Object.entries<unknown>(handlers).map(([id, handler]) => {
        const route: Route | undefined = (routeTable as Readonly<Record<string, Route>>)[id];
        return [id, route?.acts === true ? refusing(handler as AnyHandler, () => up) : handler];
      });
      return Object.fromEntries(guarded) as AllHandlers;
    },
    async stop() {
      waiting.splice(0);
      clearInterval(timer);
      await unlisten?.();
      await looking;
    },
  };
}

async function isRaised(db: Pick<Database, 'system'>): Promise<boolean> {
  const row = await db.system((tx) => tx.selectFrom('restore_fence').select('state').executeTakeFirst());
  return row !== undefined && row.state !== 'lifted';
}

type AnyHandler = (request: unknown, context: unknown) => Promise<unknown>;

function refusing(handler: AnyHandler, isUp: () => boolean): AnyHandler {
  return async (request, context) => {
    if (isUp()) throw new AppError('RESTORE_FENCE_UP');
    return await handler(request, context);
  };
}

type OpenSocket = NonNullable<GuardedEgress['openSocket']>;

function guardedSocket(open: OpenSocket, refuseCall: () => void): OpenSocket {
  return async (request) => {
    refuseCall();
    return await open(request);
  };
}
