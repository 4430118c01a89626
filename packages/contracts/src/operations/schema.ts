import { z } from 'zod';
import { idSchema, timeSchema } from '../fields.ts';
import { objectiveIds } from './objectives.ts';

const count = z.number().int().min(0);

/** One process of the installation, as it told of itself last. */
const processSchema = z.strictObject({
  id: idSchema,
  role: z.enum(['all', 'api', 'worker', 'ingest']),
  host: z.string(),
  release: z.string(),
  node: z.string(),
  started_at: timeSchema,
  seen_at: timeSchema,
  /** It has told nothing for a while and has not said that it ends. */
  is_silent: z.boolean(),
  memory_bytes: count,
  /** Of one core, over the last period. */
  cpu_percent: z.number().min(0),
  /** How long the slowest hundredth of turns of the event loop waited, over the last period. */
  loop_delay_ms: z.number().min(0),
  /** Events in memory that are not acknowledged yet. */
  held_bytes: count,
  /** Lines of syslog on disk that wait for the stores. */
  spool_bytes: count,
  /** Lines of syslog lost since it started. */
  lines_lost: count,
  /** Steps and jobs it works on. */
  working: count,
});
export type ProcessReport = z.output<typeof processSchema>;

const queueSchema = z.strictObject({
  kind: z.string(),
  /** Could begin now. */
  ready: count,
  /** Age of the oldest of them; null without one. */
  oldest_seconds: z.number().min(0).nullable(),
  working: count,
  /** Due later. */
  scheduled: count,
  /** Put aside while a tenant's automation is off. */
  held: count,
  /** Given up. */
  dead: count,
});
export type WorkQueue = z.output<typeof queueSchema>;

/** Work is due, and for a minute no worker has taken any; null while they take what there is. */
const stalledSchema = z.strictObject({
  /** The oldest of it became due then. */
  since: timeSchema,
  /** Jobs and schedules. */
  due: count,
  /** Processes that should take it and say of themselves that they are there. */
  workers: count,
});

const databaseSchema = z.strictObject({
  version: z.string(),
  bytes: count,
  connections: count,
  connections_max: count,
  /** Age of the oldest open transaction; null without one. */
  oldest_transaction_seconds: z.number().min(0).nullable(),
});

const eventStoreSchema = z.strictObject({
  version: z.string(),
  events: count,
  bytes: count,
  parts: count,
});
export type EventStoreFigures = z.output<typeof eventStoreSchema>;

const objectiveSchema = z.strictObject({
  id: z.enum(objectiveIds),
  target: z.number(),
  /** Over the last thirty days. */
  good: count,
  bad: count,
  /** Share of the thirty days' budget that is used up; above 1 the promise is broken. */
  budget_used: z.number().min(0),
  /** Multiples of the speed that uses the budget up in thirty days, by window in minutes. */
  burn: z.array(z.strictObject({ minutes: count, rate: z.number().min(0) })),
  alert: z.strictObject({ severity: z.enum(['urgent', 'slow']), since: timeSchema }).nullable(),
});
export type ObjectiveState = z.output<typeof objectiveSchema>;

/** How the continuous archive of embedded stores is; the first two are in order. */
export const archiveStates = [
  'working',
  'starting',
  'late',
  'away',
  'foreign',
  'full',
  'not_writable',
  'damaged',
  'failing',
] as const;
export type ArchiveStateName = (typeof archiveStates)[number];

const archiveSchema = z.strictObject({
  state: z.enum(archiveStates),
  /** Everything acknowledged before is in the archive; null before the first time. */
  secured_until: timeSchema.nullable(),
  /** Of the copy of the database it begins from. */
  base_at: timeSchema.nullable(),
  /**
   * When its note of how far the log goes was found damaged or missing and taken from the files beside it; null when that did
   * not happen since the server started.
   */
  rebuilt_at: timeSchema.nullable(),
});
export type ArchiveFigures = z.output<typeof archiveSchema>;

export const operationsSchema = z.strictObject({
  at: timeSchema,
  release: z.string(),
  processes: z.array(processSchema),
  queues: z.array(queueSchema),
  stalled: stalledSchema.nullable(),
  /** Mails, webhooks and messages that still have to go out, and mails given up in the last day. */
  outgoing: z.strictObject({ mails: count, mails_failed: count, notices: count }),
  database: databaseSchema,
  /** Null while it does not answer. */
  event_store: eventStoreSchema.nullable(),
  /** Null where none is kept. */
  archive: archiveSchema.nullable(),
  objectives: z.array(objectiveSchema),
  /** Calls of the API by minute over the last hour, oldest first. */
  answers: z.array(z.strictObject({ minute: timeSchema, good: count, bad: count })),
});
export type Operations = z.output<typeof operationsSchema>;
