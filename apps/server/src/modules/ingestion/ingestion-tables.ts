import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import type { ColumnType } from 'kysely';

export type IngestionTables = {
  ingest_batch: {
    tenant_id: string;
    source_id: string;
    id: string;
    /** `writing`: its events may be in the store, in part or in full. `done`: stored, evaluated and counted. */
    status: 'writing' | 'done';
    /** Tells a repetition from another body under the same key. */
    body_hash: Buffer;
    /** The process that writes; one that is gone will not go on. */
    writer: string;
    accepted: number;
    rejected: number;
    errors: ColumnType<IngestAnswer['errors'], string, string>;
    /** Kept, so that events written again get the same times. */
    received_at: Date;
    /** When this writer took the batch. */
    taken_at: Date;
    /** The batch id its events have in the store; null in rows of versions that had the row's own there. */
    stored_as: string | null;
    /** Null while it is being written, and in rows of versions that did not note it. */
    done_at: Date | null;
  };
};
