import type { DraftDefinition, PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

export type PlaybooksTables = {
  playbook: {
    id: string;
    tenant_id: string;
    /** The published version; 0 while there is only a draft. */
    version: Generated<number>;
    /** Of the published version; null while there is only a draft. */
    definition: ColumnType<PlaybookDefinition | null, string | null, string>;
    /** Number of the last draft that was saved; never goes back, so that an old number stays stale for ever. */
    draft_revision: Generated<number>;
    /** Of the request that made it, where that carried an Idempotency-Key. */
    request_hash: Generated<string | null>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  /** Never changed once written. */
  playbook_version: {
    tenant_id: string;
    playbook_id: string;
    version: number;
    definition: JSONColumnType<PlaybookDefinition>;
    note: string;
    published_at: Date;
    published_by: string;
  };
  /** At most one of each playbook. */
  playbook_draft: {
    tenant_id: string;
    playbook_id: string;
    revision: number;
    definition: JSONColumnType<DraftDefinition>;
    updated_at: Date;
    updated_by: string;
  };
  /** Which playbook a run is of; the playbook may be gone. */
  playbook_run: {
    tenant_id: string;
    run_id: string;
    playbook_id: string;
    /** The published version that runs; 0 for a definition that was not published. */
    version: number;
    dry_run: boolean;
  };
};
