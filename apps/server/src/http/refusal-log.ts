/**
 * Refused attempts: in the audit of a tenant where somebody of it is known, otherwise in the log of the process. What was
 * sent is in neither. One record each minute of a person or address for the same thing, and later a count of the rest
 * (record-windows.ts), so that nobody can fill the disk or hold the chain by asking for what they may not have.
 */
import type { ErrorCode } from '@airdeck/contracts/error-codes';
import { auditActor } from '../modules/audit/audit-actor.ts';
import type { AuditLog } from '../modules/audit/audit-log.ts';
import type { Database } from '../storage/database.ts';
import { addressName } from './call-quotas.ts';
import type { Caller } from './handlers.ts';
import { createRecordWindows } from './record-windows.ts';
import type { RefusalKind } from './refusal-kinds.ts';

const DRAIN_EVERY_MS = 15_000;
const CALLERS_MAX = 10_000;
/** Routes and codes of one person in a minute that have records of their own. */
const KINDS_OF_CALLER_MAX = 20;
/** Of all strangers together at most about a thousand lines a minute. */
const ADDRESSES_MAX = 100;
const KINDS_OF_ADDRESS_MAX = 10;
export const REFUSED = 'refused';

export type Refused = { tenant: string; caller: Caller; routeId: string; code: ErrorCode; requestId: string };

export type RefusedStranger = {
  kind: RefusalKind;
  code: ErrorCode;
  /** Pattern of the address, never the address itself. */
  route: string | undefined;
  clientAddress: string;
  requestId: string;
};

export type RefusalLog = {
  /** Resolves when the refusal is recorded, or counted because the same was recorded a moment ago. */
  note(refused: Refused): Promise<void>;
  /** Of somebody who is not known. */
  noteStranger(refused: RefusedStranger): void;
  start(): void;
  /** Writes what is counted and not told yet. */
  stop(): Promise<void>;
  /** The same for windows that have ended; by itself every quarter of a minute. */
  tellCounts(options?: { all: boolean }): Promise<void>;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  audit: AuditLog;
  now: () => Date;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

export function createRefusalLog({ db, audit, now, log }: Dependencies): RefusalLog {
  const callers = createRecordWindows<Refused>({ now, subjectsMax: CALLERS_MAX, kindsMax: KINDS_OF_CALLER_MAX });
  const strangers = createRecordWindows<RefusedStranger>({
    ...{ now, subjectsMax: ADDRESSES_MAX, kindsMax: KINDS_OF_ADDRESS_MAX },
  });
  let timer: NodeJS.Timeout | undefined;

  async function record({ tenant, caller, routeId, code, requestId }: Refused, data: object): Promise<void> {
    await db.system((tx) =>
      audit.record(tx, {
        tenant,
        actor: auditActor(caller),
        action: 'route.call',
        target: { kind: 'route', id: routeId },
        outcome: 'refused',
        code,
        data: { ...data },
        request_id: requestId,
      }),
    );
  }

  function tell({ kind, code, route, clientAddress, requestId }: RefusedStranger, more: object): void {
    const fields = { security: kind, code, route, client_address: clientAddress, request_id: requestId };
    log.warn({ ...fields, ...more }, REFUSED);
  }

  async function tellCounts(options?: { all: boolean }): Promise<void> {
    const [ofCallers, ofStrangers] = [callers.drain(options), strangers.drain(options)];
    for (const { example, repeated } of ofStrangers.counted) tell(example, { repeated });
    const unrecorded = ofCallers.unrecorded + ofStrangers.unrecorded;
    if (unrecorded > 0) log.warn({ security: 'unrecorded', repeated: unrecorded }, REFUSED);
    for (const { example, repeated } of ofCallers.counted) {
      try {
        await record(example, { repeated });
      } catch (error) {
        const { tenant, routeId, code, requestId } = example;
        const fields = { security: 'unrecorded', tenant, route: routeId, code, request_id: requestId, repeated };
        log.error({ ...fields, err: error }, 'the count of refusals was not recorded');
      }
    }
  }

  return {
    async note(refused) {
      const { tenant, caller, routeId, code } = refused;
      if (callers.take(caller.userId, `${tenant} ${routeId} ${code}`, refused)) await record(refused, {});
    },
    noteStranger(refused) {
      if (strangers.take(addressName(refused.clientAddress), refused.kind, refused)) tell(refused, {});
    },
    start() {
      timer ??= setInterval(() => void tellCounts(), DRAIN_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await tellCounts({ all: true });
    },
    tellCounts,
  };
}
