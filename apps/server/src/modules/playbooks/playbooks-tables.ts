import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import type { ColumnType, Generated } from 'kysely';

export type PlaybooksTables = {
  playbook: {
    id: string;
    tenant_id: string;
    /** Counts up with every change; a run keeps the definition it started with. */
    version: Generated<number>;
    definition: ColumnType<PlaybookDefinition, string, string>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
};
