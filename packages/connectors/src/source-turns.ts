/**
 * Several sources of one vendor as one: a page of one source per call, and the sources take turns within a round. Cursor:
 * whose turn it is, and the cursor of each source.
 *
 * A source that fails keeps its place and gives its turn away, so that the others go on; its failure is told with the page.
 * Only where it fails for all of them (one source, credentials that are refused, a stop) it ends the round.
 */
import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { objectOf } from './answer-fields.ts';

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
  const { turn: stored, marks: storedMarks } = context.cursor ?? {};
  const turn = typeof stored === 'number' && chosen[stored] !== undefined ? stored : 0;
  const source = chosen[turn] ?? chosen[0];
  const marks = objectOf(storedMarks);
  const mark = marks[source];
  const nextTurn = (turn + 1) % chosen.length;
  try {
    const page = await read(source, { ...context, cursor: mark === undefined ? null : objectOf(mark) });
    return {
      records: page.records,
      leftOut: page.leftOut ?? 0,
      cursor: { turn: page.hasMore ? turn : nextTurn, marks: { ...marks, [source]: page.cursor } },
      hasMore: page.hasMore || nextTurn !== 0,
    };
  } catch (error) {
    if (chosen.length === 1 || context.signal.aborted || !isOfOneSource(error)) throw error;
    return {
      records: [],
      cursor: { turn: nextTurn, marks },
      hasMore: nextTurn !== 0,
      failure: named(error, names[source]),
    };
  }
}

function isOfOneSource(error: unknown): error is VendorError | EgressError {
  if (error instanceof VendorError) return error.code !== 'VENDOR_CREDENTIALS_REFUSED';
  return error instanceof EgressError;
}

function named(error: VendorError | EgressError, name: string): VendorError | EgressError {
  if (error instanceof EgressError) return error;
  return new VendorError(error.code, `${name}: ${error.message}`, { retryAfterS: error.retryAfterS, cause: error });
}
