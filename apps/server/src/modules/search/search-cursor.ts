import { createHash } from 'node:crypto';
import { idSchema } from '@airdeck/contracts/fields';
import type { SearchBody } from '@airdeck/contracts/search/schema';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';

/** Messages of one millisecond that a connector's next page leaves out; with more of them it begins before that millisecond. */
export const LIVE_IDS_MAX = 1_000;

const millisSchema = z.number().int().min(0).max(8e15);

const livePositionSchema = z.strictObject({
  time: millisSchema,
  /** As `shortId` writes them. */
  ids: z.array(z.string().max(200)).max(LIVE_IDS_MAX),
  /** Whether messages of the millisecond after it were left out. */
  left_out: z.literal(true).optional(),
});

/**
 * What a cursor carries. It opens nothing: tenant and reach of the plan are applied to every page anew, so it needs no
 * signature; what its holder changes in it changes their own pages only.
 */
const cursorSchema = z.strictObject({
  /** Of the search it belongs to. */
  of: z.string().length(16),
  /** What `now` meant on the first page, so that all pages are of the same search. */
  now: millisSchema,
  until: millisSchema,
  /** Where the page before ended, and the store's next one begins. */
  after: z.strictObject({ time: millisSchema, id: idSchema }),
  /** Where that of each connector begins that is searched live. */
  live: z.record(idSchema, livePositionSchema),
  total: z.strictObject({ value: z.number().int().min(0), relation: z.enum(['eq', 'gte']) }),
});
export type SearchCursor = z.output<typeof cursorSchema>;

/** What a cursor goes on with. */
type Searched = Omit<SearchBody, 'limit' | 'cursor' | 'live'>;

export function writeCursor(selection: Searched, cursor: Omit<SearchCursor, 'of'>): string {
  const value: SearchCursor = { of: fingerprint(selection), ...cursor };
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Throws VALIDATION_FAILED for what is no cursor, or the cursor of another search. */
export function readCursor(selection: Searched, text: string): SearchCursor {
  const cursor = cursorSchema.safeParse(decoded(text));
  if (!cursor.success) throw refused('This is not a cursor of a search.');
  if (cursor.data.of !== fingerprint(selection)) throw refused('This cursor belongs to another search.');
  return cursor.data;
}

/** A vendor's id, for a cursor that may hold a thousand of them. */
export function shortId(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 10);
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function fingerprint({ integrations, connector_id, query, filters, time_range, sort }: Searched): string {
  const text = JSON.stringify([integrations, connector_id ?? null, query, filters, time_range, sort]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function refused(message: string): AppError {
  return new AppError('VALIDATION_FAILED', { details: [{ path: 'body.cursor', message }] });
}
