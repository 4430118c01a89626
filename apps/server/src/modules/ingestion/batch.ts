import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { HeldEvents } from './event-work.ts';

/** One delivery, ready to be written. */
export type Batch = {
  source: IngestSource;
  /** What the delivery is recognised by. */
  id: string;
  /** Of its events in the store, and in the answer. */
  storedAs: string;
  bodyHash: Buffer;
  receivedAt: number;
  events: HeldEvents;
  /** Its row is there already. */
  resumed: boolean;
  /** Some of the events may be in the store: a write before this one did not finish, or no row says any more that one did. */
  mayBeStored: boolean;
};

export function answerOf(
  batch: { storedAs: string } & Pick<IngestAnswer, 'rejected' | 'errors'>,
  { accepted, duplicate }: Pick<IngestAnswer, 'accepted' | 'duplicate'>,
): IngestAnswer {
  return { accepted, rejected: batch.rejected, duplicate, batch_id: batch.storedAs, errors: batch.errors };
}
