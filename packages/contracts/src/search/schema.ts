import { z } from 'zod';
import { idSchema, jsonObjectSchema, shortText, timeInputSchema, timeSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { isInOrder } from '../time-range.ts';

/** Bounds of searches that both sides know. */
export const searchLimits = {
  /** Characters a query may have on the way; the language itself takes fewer and says so at the place. */
  queryMax: 200_000,
  integrationsMax: 50,
  filtersMax: 50,
  filterValueMax: 1_000,
  filterValuesMax: 100,
  /** Characters of all filters as JSON: they travel in addresses, and with every search that is kept. */
  filtersCharactersMax: 60_000,
  /** The same of a search that is saved, as a list shows a thousand of them. */
  savedFiltersCharactersMax: 15_000,
  eventsDefault: 100,
  eventsMax: 1_000,
  histogramBucketsMax: 120,
  /** Events the list of fields is made of, the newest ones. */
  fieldSample: 5_000,
  fieldsMax: 150,
  topValuesMax: 10,
  valuesMax: 50,
  savedPerPersonMax: 200,
  savedNameMax: 120,
} as const;

/** `okta` for an integration, `okta:system_log` for one event type of it. */
export const searchScopeEntrySchema = z
  .string()
  .max(202)
  .regex(/^[^:\0]{1,100}(?::[^\0]{1,100})?$/, 'An integration, or integration:event_type.');

/**
 * How a filter asks its field, whatever the query language makes of the value: values are taken literally, except that
 * `is` with a network (10.0.0.0/8) means every address in it. `one_of` takes a list, `exists` and `not_exists` nothing.
 */
export const filterOperators = [
  'is',
  'is_not',
  'one_of',
  'not_one_of',
  'exists',
  'not_exists',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'gt',
  'gte',
  'lt',
  'lte',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

const filterValueSchema = z.union([z.string().max(searchLimits.filterValueMax), z.number(), z.boolean()]);

export const searchFilterSchema = z.strictObject({
  /** A column, or a path into the original fields, as in queries. */
  field: z.string().min(1).max(256),
  op: z.enum(filterOperators),
  value: z.union([filterValueSchema, z.array(filterValueSchema).min(1).max(searchLimits.filterValuesMax)]).optional(),
});
export type SearchFilter = z.output<typeof searchFilterSchema>;

/** What is searched for, whenever. */
export const searchCriteriaSchema = z.strictObject({
  /** Any of these; empty is all. */
  integrations: z.array(searchScopeEntrySchema).max(searchLimits.integrationsMax).default([]),
  /** Only what this connector fetched; one that is searched live is then the only one asked. */
  connector_id: idSchema.optional(),
  /** The language of `docs/search.md`; empty is everything. */
  query: z.string().max(searchLimits.queryMax).default(''),
  /** All of these. */
  filters: z.array(searchFilterSchema).max(searchLimits.filtersMax).default([]),
});
export type SearchCriteria = z.output<typeof searchCriteriaSchema>;

type SearchTimes = { start?: string | undefined; end?: string | undefined };

function withEndAfterStart<T extends z.ZodType<SearchTimes>>(schema: T): T {
  return schema.refine(({ start, end }) => isInOrder(start, end), {
    path: ['end'],
    message: 'The end of the time range has to be after its start.',
  });
}

/** From `start` (included) until `end` (not included). */
export const searchRangeSchema = withEndAfterStart(z.strictObject({ start: timeInputSchema, end: timeInputSchema }));

/** What is searched for, and when. The body of exports too. */
export const searchSelectionSchema = searchCriteriaSchema.extend({ time_range: searchRangeSchema });
export type SearchSelection = z.output<typeof searchSelectionSchema>;

export const searchOrders = ['newest', 'oldest'] as const;
export type SearchOrder = (typeof searchOrders)[number];

export const searchBodySchema = searchSelectionSchema.extend({
  limit: z.number().int().min(1).max(searchLimits.eventsMax).default(searchLimits.eventsDefault),
  /** `cursor` of the page before, of the same search. */
  cursor: z.string().max(100_000).optional(),
  /** Which come first. Connectors that are searched live know their newest events only. */
  sort: z.enum(searchOrders).default('newest'),
  /** False leaves the connectors that are searched live alone. */
  live: z.boolean().default(true),
});
export type SearchBody = z.output<typeof searchBodySchema>;

export const foundEventSchema = z.strictObject({
  id: z.string(),
  time: timeSchema,
  received_at: timeSchema,
  /** Null for events of a connector that was searched live: they are not stored here. */
  source_id: idSchema.nullable(),
  /** Empty when no connector fetched it. */
  connector_id: z.string(),
  integration: z.string(),
  event_type: z.string(),
  severity: z.string(),
  action: z.string(),
  outcome: z.string(),
  host: z.string(),
  user: z.string(),
  src_ip: z.string(),
  dst_ip: z.string(),
  message: z.string(),
  /** Every original field. */
  fields: jsonObjectSchema,
  raw: z.string(),
  /** The vendor's own page of an event that is not stored here. */
  link: z.string().optional(),
});
export type FoundEvent = z.output<typeof foundEventSchema>;

/** The range that was searched, which may be shorter than what was asked for. */
export const searchedRangeSchema = z.strictObject({
  start: timeSchema,
  end: timeSchema,
  /** True when the plan does not reach back as far as was asked. */
  clipped: z.boolean(),
  search_length_days: z.number().int(),
});
export type SearchedRange = z.output<typeof searchedRangeSchema>;

export const liveSourceStates = ['answered', 'failed', 'not_searchable'] as const;

/** A connector that was searched live, and how that went. */
export const liveSourceSchema = z.strictObject({
  connector_id: idSchema,
  name: z.string(),
  state: z.enum(liveSourceStates),
  /** For the person who searched; empty when there is nothing to say. */
  message: z.string(),
  found: z.number().int(),
  took_ms: z.number().int(),
});
export type LiveSource = z.output<typeof liveSourceSchema>;

export const searchAnswerSchema = z.strictObject({
  /** Newest first, unless the oldest were asked for. */
  events: z.array(foundEventSchema),
  /** Of the store. `gte` when counting them all would have cost too much; then there is no histogram either. */
  total: z.strictObject({ value: z.number().int(), relation: z.enum(['eq', 'gte']) }),
  /**
   * Events per stretch of time, `t` its start, oldest first; stretches without events are left out. Comes with the first
   * page only. Buckets are aligned to the epoch, so the first and last may stick out of the range.
   */
  histogram: z.array(z.strictObject({ t: timeSchema, count: z.number().int() })),
  /** Width of a stretch, in milliseconds. */
  bucket_ms: z.number().int(),
  time_range: searchedRangeSchema,
  /** For the next page, also where this one holds fewer events than asked for; null on the last one. */
  cursor: z.string().nullable(),
  took_ms: z.number().int(),
  /**
   * True when something is missing: the total was not counted to the end, a connector did not answer, or the page is shorter
   * than asked for because more would have been too much at once (the cursor goes on from there).
   */
  partial: z.boolean(),
  /** Connectors searched live. */
  sources: z.array(liveSourceSchema),
});
export type SearchAnswer = z.output<typeof searchAnswerSchema>;

export const topValueSchema = z.strictObject({ value: z.string(), count: z.number().int() });

export const searchFieldsSchema = z.strictObject({
  /** Columns first, then original fields; by how many events of the sample have them. */
  fields: z.array(
    z.strictObject({
      /** As a query names it. */
      name: z.string(),
      kind: z.enum(['column', 'field']),
      /** Events of the sample with a value. */
      count: z.number().int(),
      /** Most frequent values in the sample, most frequent first. Empty for lists and objects. */
      top: z.array(topValueSchema),
    }),
  ),
  /** What the counts are of: the newest matches. `complete` when these are all of them. */
  sample: z.strictObject({ events: z.number().int(), complete: z.boolean() }),
  /** True when there are more names than were listed. */
  more_fields: z.boolean(),
  took_ms: z.number().int(),
});
export type SearchFields = z.output<typeof searchFieldsSchema>;

export const searchValuesQuerySchema = withEndAfterStart(
  z.strictObject({
    field: z.string().min(1).max(256),
    prefix: z.string().max(200).default(''),
    /** Default: the last 24 hours. */
    start: timeInputSchema.optional(),
    end: timeInputSchema.optional(),
    limit: z.coerce.number().int().min(1).max(searchLimits.valuesMax).default(20),
  }),
);

/** Values of a field that begin with what was typed, in any case; most frequent in the newest events first. */
export const searchValuesSchema = z.strictObject({ field: z.string(), values: z.array(topValueSchema) });
export type SearchValues = z.output<typeof searchValuesSchema>;

/** What there is to choose from: integrations and their event types that have sent within the plan's reach. */
export const searchScopeSchema = z.strictObject({
  integration: z.string(),
  event_type: z.string(),
  events: z.number().int(),
  last_event_at: timeSchema,
});
export type SearchScope = z.output<typeof searchScopeSchema>;

/** Criteria in a URL: lists are comma separated (`value-list.ts`), filters are JSON. */
export const searchTailQuerySchema = z.strictObject({
  integrations: z.string().max(limits.textListMax).default(''),
  connector_id: idSchema.optional(),
  query: z.string().max(searchLimits.queryMax).default(''),
  /** JSON of the list of filters. */
  filters: z.string().max(searchLimits.filtersCharactersMax).default('[]'),
});

/**
 * Data of the server-sent event `events`: what has arrived since the last one, oldest first. `left_out` is how many more
 * matched than were sent; of more than 5,000 in ten seconds at least that many. The event `ended` carries
 * `{ "reason": "access" | "too_expensive" | "away" }` when the stream will not go on; without it, it may be opened again, with
 * the last id as `Last-Event-ID`. Then it goes on from there; some events may come twice.
 */
export type TailMessage = { events: FoundEvent[]; left_out: number };

/** When a saved search looks: a fixed stretch, or one the dashboard knows by name (`last_24h`, `today`). */
export const savedRangeSchema = z.union([
  searchRangeSchema,
  z.strictObject({ preset: z.string().regex(/^[a-z0-9_]{1,40}$/) }),
]);

export const savedSearchInputSchema = z.strictObject({
  name: shortText(searchLimits.savedNameMax),
  /** Everybody of the tenant who may search sees it; only its owner and Admins change it. */
  shared: z.boolean().default(false),
  criteria: searchCriteriaSchema,
  time_range: savedRangeSchema,
  /** Which events come first. */
  sort: z.enum(searchOrders).default('newest'),
  /** Columns of the table of results, in their order. */
  columns: z.array(z.string().min(1).max(256)).max(40).default([]),
});
export type SavedSearchInput = z.output<typeof savedSearchInputSchema>;

export const savedSearchUpdateSchema = savedSearchInputSchema.extend({
  /** `updated_at` of what was changed; refused when somebody else was faster. Left out: whatever is there. */
  replaces: timeSchema.optional(),
});
export type SavedSearchUpdate = z.output<typeof savedSearchUpdateSchema>;

export const savedSearchSchema = savedSearchInputSchema.extend({
  id: idSchema,
  owner: z.strictObject({ id: idSchema, name: z.string() }),
  /** Whether the caller is its owner. */
  own: z.boolean(),
  /** Whether the caller may change and delete it. */
  editable: z.boolean(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export type SavedSearch = z.output<typeof savedSearchSchema>;
