import { z } from 'zod';
import { idSchema, timeSchema } from '../fields.ts';
import { sourceKinds } from '../sources/schema.ts';
import { reportDaySchema, reportQuerySchema } from './report-time.ts';

const count = z.number().int().min(0);

export const logReportLimits = {
  /** With their days; the rest is in `other_sources`. */
  sourcesShown: 50,
  talkersShown: 20,
  silentShown: 100,
  /** A source without events for this long is silent. */
  silentAfterH: 24,
} as const;

const volume = { events: count, bytes: count };

/** A connector's events come in through a source nobody sees; it stands under the connector's name. */
const logSourceSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  kind: z.enum([...sourceKinds, 'connector']),
  /** Where to look at it when `kind` is `connector`. */
  connector_id: idSchema.nullable(),
  deleted: z.boolean(),
});

const talkerSchema = z.strictObject({ value: z.string(), events: count });

/** Log-collection report. Volume is counted by the time of the events, to the hour. */
export const logReportSchema = z.strictObject({
  start_time: timeSchema,
  end_time: timeSchema,
  time_zone: z.string(),
  total: z.strictObject(volume),
  /** The same over the time of the same length before. */
  previous: z.strictObject(volume),
  /** Every day of the time, oldest first. */
  by_day: z.array(z.strictObject({ day: reportDaySchema, ...volume })),
  /** With most events first. */
  sources: z.array(
    logSourceSchema.extend({
      ...volume,
      previous_events: count,
      /** When something last arrived; null for never. */
      last_event_at: timeSchema.nullable(),
      /** Its events on each day of `by_day`. */
      events_by_day: z.array(count),
    }),
  ),
  other_sources: z.strictObject({ sources: count, ...volume }),
  /** Of all sources, also those beyond the lists. */
  source_counts: z.strictObject({
    /** With events in this time. */
    sent: count,
    silent: count,
    /** Of the silent ones. */
    never_sent: count,
  }),
  /** Hosts and source addresses named by most events. */
  hosts: z.array(talkerSchema),
  src_ips: z.array(talkerSchema),
  /** False when the event store could not count them in time; hosts and addresses are empty then. */
  talkers_complete: z.boolean(),
  /** Longest silent first, after them those that never sent. */
  silent_sources: z.array(
    logSourceSchema.extend({
      /**
       * `period`: events in the time before, none in this one. `day`: none for 24 hours, counted from now. `never`: set up,
       * and nothing has ever arrived.
       */
      reason: z.enum(['period', 'day', 'never']),
      last_event_at: timeSchema.nullable(),
      events: count,
      previous_events: count,
    }),
  ),
  retention: z.strictObject({
    days: count,
    plan_days: count,
    search_days: count,
    /** Null while nothing is stored, and where it is not known. */
    oldest_event_at: timeSchema.nullable(),
    /** False when the event store could not find it in time. */
    oldest_known: z.boolean(),
  }),
});
export type LogReport = z.output<typeof logReportSchema>;

/** What a tenant sends, by day: for its own page, and for whoever manages it. Nothing of what is in the events. */
export const eventUsageSchema = logReportSchema.pick({
  start_time: true,
  end_time: true,
  time_zone: true,
  total: true,
  previous: true,
  by_day: true,
});
export type EventUsage = z.output<typeof eventUsageSchema>;

export const logReportQuerySchema = reportQuerySchema;

export const logReportTables = ['sources', 'days', 'hosts', 'src_ips', 'silent_sources'] as const;
export type LogReportTable = (typeof logReportTables)[number];

export const logReportCsvQuerySchema = reportQuerySchema.safeExtend({ table: z.enum(logReportTables) });
