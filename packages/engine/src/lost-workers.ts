/**
 * Workers whose process is gone, found before their leases end.
 *
 * A worker holds a lock of the database in a session of its own for as long as it lives; its leases carry a name that says so.
 * A killed process loses its connections at once, and with them the lock. Others take its leases when for `absentMs` on end
 * they have found the lock free and none of its leases extended: one sign of life is enough. So a worker keeps its leases
 * that has lost only that session (as behind a pool that moves sessions about) or only its others, and after a restart of the
 * database everybody has that long to come back. Whoever looks begins to count anew when it could not look.
 *
 * Nothing depends on it being right: a worker that is taken for gone and is not is fenced off as one whose lease has ended.
 * A machine that vanishes leaves its connections open until the database gives them up; then it is the lease that ends.
 */
import type { KeepSession, SqlClient } from './interfaces.ts';

/** Owners with this prefix hold the lock; nothing can be said of others. */
export const PRESENT = 'present/';

/** The first of the two numbers of the lock; the second is made from the owner's name. Two of one number only look alive. */
const LOCK_CLASS = 1_162_759_763;

/** Resolves when the lock is held, to what gives it up. Shared, so that a session that came back need not wait for the old. */
export function showPresence(keepSession: KeepSession, owner: string): Promise<() => Promise<void>> {
  return keepSession((session) =>
    session.query('select pg_advisory_lock_shared($1, hashtext($2))', [LOCK_CLASS, owner]),
  );
}

/** A worker whose lock is free, and how long its leases last by what it has said. */
export type Absent = { readonly owner: string; readonly leaseUntil: Date };

export async function findAbsent(tx: SqlClient, self: string): Promise<Absent[]> {
  const { rows } = await tx.query<{ owner: string; until: Date }>(
    `select l.lease_owner as owner, max(l.lease_until) as until from engine.job l
     where l.state = 'leased' and l.lease_owner <> $1 and starts_with(l.lease_owner, $2)
     group by l.lease_owner
     having not exists (
       select from pg_locks p
       where p.locktype = 'advisory' and p.classid = $3 and p.objid = (hashtext(l.lease_owner)::int8 & 4294967295)::oid
         and p.objsubid = 2 and p.granted
         and p.database = (select d.oid from pg_database d where d.datname = current_database()))`,
    [self, PRESENT, LOCK_CLASS],
  );
  return rows.map(({ owner, until }) => ({ owner, leaseUntil: until }));
}

export interface LostWorkers {
  /** Takes note of a look; returns the owners that have been gone for long enough. */
  note(absent: readonly Absent[]): string[];
  /** There was no look. */
  missed(): void;
}

export function createLostWorkers(deps: {
  /** Milliseconds that only grow. */
  readonly nowMs: () => number;
  readonly absentMs: number;
}): LostWorkers {
  let gone = new Map<string, { readonly sinceMs: number; readonly until: number }>();
  return {
    note(absent) {
      const nowMs = deps.nowMs();
      gone = new Map(
        absent.map(({ owner, leaseUntil }) => {
          const before = gone.get(owner);
          const until = leaseUntil.getTime();
          return [owner, before?.until === until ? before : { sinceMs: nowMs, until }];
        }),
      );
      return [...gone].flatMap(([owner, { sinceMs }]) => (nowMs - sinceMs >= deps.absentMs ? owner : []));
    },
    missed() {
      gone = new Map();
    },
  };
}
