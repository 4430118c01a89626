import type { ErrorCode } from '@airdeck/contracts/error-codes';
import { auditActor } from '../modules/audit/audit-actor.ts';
import type { AuditLog } from '../modules/audit/audit-log.ts';
import type { Database } from '../storage/database.ts';
import type { Caller } from './handlers.ts';

const WINDOW_MS = 60_000;
const RECORDS_PER_WINDOW = 20;
const CALLERS_MAX = 10_000;

export type Refused = { tenant: string; caller: Caller; routeId: string; code: ErrorCode; requestId: string };

export type RefusalLog = {
  /** Resolves when the refusal is recorded, or counted because its caller had many recorded a moment ago. */
  note(refused: Refused): Promise<void>;
};

type Window = { startedAt: number; records: number; suppressed: number };

/**
 * Audit of refused attempts. Each caller may cause twenty records a minute; what is beyond that is counted and stands
 * in the caller's next record, so that nobody can fill the disk or hold the chain by asking for what they may not have.
 */
export function createRefusalLog(deps: { db: Pick<Database, 'system'>; audit: AuditLog; now: () => Date }): RefusalLog {
  const windows = new Map<string, Window>();

  function windowOf(caller: string): Window {
    const at = deps.now().getTime();
    const known = windows.get(caller);
    if (known !== undefined && at - known.startedAt < WINDOW_MS) return known;
    if (windows.size >= CALLERS_MAX) windows.clear();
    const fresh = { startedAt: at, records: 0, suppressed: known?.suppressed ?? 0 };
    windows.set(caller, fresh);
    return fresh;
  }

  return {
    async note({ tenant, caller, routeId, code, requestId }) {
      const window = windowOf(caller.userId);
      if (window.records >= RECORDS_PER_WINDOW) {
        window.suppressed++;
        return;
      }
      window.records++;
      const suppressed = window.suppressed;
      window.suppressed = 0;
      await deps.db.system((tx) =>
        deps.audit.record(tx, {
          tenant,
          actor: auditActor(caller),
          action: 'route.call',
          target: { kind: 'route', id: routeId },
          outcome: 'refused',
          code,
          data: suppressed === 0 ? {} : { suppressed_before: suppressed },
          request_id: requestId,
        }),
      );
    },
  };
}
