/**
 * Several sources of one vendor as one: a page of one source per call, and the sources take turns within a round. Cursor:
 * whose turn it is, the cursor of each source, and when those were asked that came to their end in this round.
 *
 * A source that fails keeps its place and gives its turn away, so that the others go on; its failure is told with the page,
 * and that it is missing with the last page of the round.
 * Only where it fails for all of them (one source, credentials that are refused, a stop) it ends the round.
 */

import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf } from './answer-fields.ts';

type Turns<Source extends string> = {
  readonly chosen: readonly [Source, ...Source[]];
  /** What each is called, for people. */
  readonly names: Readonly<Record<Source, string>>;
  readonly read: (source: Source, context: FetchContext) => Promise<FetchPage>;
};

export async function fetchInTurns<Source extends string>(
  context: FetchContext,
  { chosen, names, read }: Turns<Source>,
): Promise<FetchPage> {
  const { turn: stored, ended: storedEnded, marks: storedMarks } = context.cursor ?? {};
  const turn = typeof stored === 'number' && chosen[stored] !== undefined ? stored : 0;
  const source = chosen[turn] ?? chosen[0];
  const marks = objectOf(storedMarks);
  const mark = marks[source];
  const ended = objectOf(storedEnded);
  const nextTurn = (turn + 1) % chosen.length;
  const giveTurn = (now: { marks: JsonObject; ended: JsonObject }) =>
    nextTurn === 0
      ? { cursor: { turn: 0, marks: now.marks }, hasMore: false, completeAt: completeAt(chosen, now.ended) }
      : { cursor: { turn: nextTurn, ...now }, hasMore: true };
  const askedAt = context.now().toISOString();
  try {
    const page = await read(source, { ...context, cursor: mark === undefined ? null : objectOf(mark) });
    const taken = { records: page.records, leftOut: page.leftOut ?? 0 };
    const moved = { ...marks, [source]: page.cursor };
    if (page.hasMore) return { ...taken, cursor: { turn, marks: moved, ended }, hasMore: true };
    return { ...taken, ...giveTurn({ marks: moved, ended: { ...ended, [source]: askedAt } }) };
  } catch (error) {
    if (chosen.length === 1 || context.signal.aborted || !isOfOneSource(error)) throw error;
    return { records: [], ...giveTurn({ marks, ended }), failure: named(error, names[source]) };
  }
}

/** A source that ended early, before the others took their time or were away, has had more since. */
function completeAt(chosen: readonly string[], ended: JsonObject): string | null {
  const times = chosen.map((source) => textOf(ended, source));
  return times.includes(null) ? null : (times.toSorted()[0] ?? null);
}

function isOfOneSource(error: unknown): error is VendorError | EgressError {
  if (error instanceof VendorError) return error.code !== 'VENDOR_CREDENTIALS_REFUSED';
  return error instanceof EgressError;
}

function named(error: VendorError | EgressError, name: string): VendorError | EgressError {
  if (error instanceof EgressError) return error;
  return new VendorError(error.code, `${name}: ${error.message}`, { retryAfterS: error.retryAfterS, cause: error });
}
