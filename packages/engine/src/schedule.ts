/**
 * Schedules. A slot's identity is (tenant, name, time), unique in the database: two schedulers that both find it due insert
 * it once. Slots missed while nothing ran are made up for by one firing, the latest; the expression is asked again from
 * there, so neither a long stop nor a clock change fires a slot twice.
 */
import { EngineError, messageOf } from './errors.ts';
import type { ScheduleInput, SqlClient } from './interfaces.ts';
import { DEFAULT_MAX_ATTEMPTS, enqueueJob } from './jobs.ts';
import { jsonText } from './json-value.ts';

const MAX_DUE_PER_PASS = 100;
/** Missed slots skipped at most in one pass; the rest is jumped over. */
const MAX_MISSED = 1_000;

export type NextSlot = (expression: string, after: Date) => Date | null;

export type ScheduleDeps = {
  readonly nextSlot: NextSlot;
  readonly ids: () => string;
  readonly now: () => Date;
};

/** Adds a schedule, or replaces the one of that name; unchanged ones keep their next slot. Throws SCHEDULE_INVALID. */
export async function putSchedule(tx: SqlClient, input: ScheduleInput, deps: ScheduleDeps): Promise<void> {
  const now = deps.now();
  await tx.query(
    `insert into engine.cron (tenant_id, name, expression, kind, payload, max_attempts, next_slot_at, updated_at)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8)
     on conflict (tenant_id, name) do update set
       next_slot_at = case when cron.expression = excluded.expression then cron.next_slot_at else excluded.next_slot_at end,
       expression = excluded.expression, kind = excluded.kind, payload = excluded.payload,
       max_attempts = excluded.max_attempts, updated_at = excluded.updated_at`,
    [
      input.tenantId,
      input.name,
      input.expression,
      input.kind,
      jsonText(input.payload ?? null),
      input.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
      firstSlot(input.expression, now, deps.nextSlot),
      now,
    ],
  );
}

function firstSlot(expression: string, now: Date, nextSlot: NextSlot): Date | null {
  try {
    return nextSlot(expression, now);
  } catch (error) {
    throw new EngineError('SCHEDULE_INVALID', `"${expression}" is not a schedule: ${messageOf(error)}`, { expression });
  }
}

export async function removeSchedule(tx: SqlClient, which: { tenantId: string; name: string }): Promise<void> {
  await tx.query('delete from engine.cron where tenant_id = $1 and name = $2', [which.tenantId, which.name]);
}

type CronRow = {
  tenant_id: string;
  name: string;
  expression: string;
  kind: string;
  payload: unknown;
  max_attempts: number;
  next_slot_at: Date;
};

/**
 * Fires every schedule that is due, of kinds this program carries out: those of another release are left to it, and wait as
 * one slot where it never comes back. Returns how many jobs were added.
 */
export async function fireDueSchedules(
  tx: SqlClient,
  deps: ScheduleDeps & { readonly kinds: readonly string[] },
): Promise<number> {
  const now = deps.now();
  const { rows } = await tx.query<CronRow>(
    `select tenant_id, name, expression, kind, payload, max_attempts, next_slot_at from engine.cron
     where next_slot_at <= $1 and kind = any($3::text[]) order by tenant_id, name limit $2 for update skip locked`,
    [now, MAX_DUE_PER_PASS, deps.kinds],
  );
  let fired = 0;
  for (const row of rows) fired += (await fire(tx, row, now, deps)) ? 1 : 0;
  return fired;
}

async function fire(tx: SqlClient, row: CronRow, now: Date, deps: ScheduleDeps): Promise<boolean> {
  const { slot, next } = latestDueSlot(row.expression, row.next_slot_at, now, deps.nextSlot);
  await tx.query('update engine.cron set next_slot_at = $3 where tenant_id = $1 and name = $2', [
    row.tenant_id,
    row.name,
    next,
  ]);
  const job = deps.ids();
  const inserted = await tx.query(
    `insert into engine.cron_slot (tenant_id, name, slot_at, job_id) values ($1, $2, $3, $4) on conflict do nothing`,
    [row.tenant_id, row.name, slot, job],
  );
  if (inserted.rowCount === 0) return false;
  await tx.query('delete from engine.cron_slot where tenant_id = $1 and name = $2 and slot_at < $3', [
    row.tenant_id,
    row.name,
    new Date(slot.getTime() - SLOT_MEMORY_MS),
  ]);
  await enqueueJob(
    tx,
    {
      tenantId: row.tenant_id,
      kind: row.kind,
      payload: row.payload,
      maxAttempts: row.max_attempts,
      dedupKey: `${row.name}@${slot.toISOString()}`,
    },
    { ids: () => job, now: deps.now },
  );
  return true;
}

/** How long slots are remembered; longer than any clock may be set back. */
const SLOT_MEMORY_MS = 7 * 24 * 3_600_000;

/** The last slot not after `now`, and the one after it. */
export function latestDueSlot(
  expression: string,
  first: Date,
  now: Date,
  nextSlot: NextSlot,
): { slot: Date; next: Date | null } {
  let slot = first;
  for (let skipped = 0; skipped < MAX_MISSED; skipped += 1) {
    const next = nextSlot(expression, slot);
    if (next === null || next > now) return { slot, next };
    slot = next;
  }
  return { slot, next: nextSlot(expression, now) };
}
