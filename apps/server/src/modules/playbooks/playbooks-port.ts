import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import type { Caller } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** What a run of a playbook is made of; it keeps this definition whatever becomes of the playbook. */
export type RunnablePlaybook = {
  /** Null for a definition that is tried without being stored. */
  playbookId: string | null;
  /** The published version; 0 for a definition that is not published. */
  version: number;
  name: string;
  definition: PlaybookDefinition;
};

/** The playbooks that can run, for whatever starts runs: people, policies, other playbooks. */
export interface RunnablePlaybooks {
  /** The published version; undefined when there is no such playbook in the tenant, or only a draft of it. */
  findForRun(tx: Tx, scope: TenantScope, id: string): Promise<RunnablePlaybook | undefined>;
  /** The same for a person. Throws NOT_FOUND and PLAYBOOK_NOT_PUBLISHED. */
  getForRun(tx: Tx, scope: TenantScope, id: string): Promise<RunnablePlaybook>;
}

/** Which run is of which playbook. Whoever starts a run notes it in the same transaction. */
export interface PlaybookRunNotes {
  /** Nothing is noted of a definition that is not stored (`playbookId` null), and noting a run again changes nothing. */
  note(
    tx: Tx,
    scope: TenantScope,
    run: { runId: string; playbook: Pick<RunnablePlaybook, 'playbookId' | 'version'>; dryRun: boolean },
  ): Promise<void>;
  /** By run id; runs of playbooks that were deleted since, and of none, are missing. */
  playbooksOf(
    tx: Tx,
    scope: TenantScope,
    runIds: readonly string[],
  ): Promise<ReadonlyMap<string, { playbookId: string; version: number }>>;
}

/** How the activity module tries a playbook: only actions that read really run. Throws VALIDATION_FAILED for the inputs. */
export type TryPlaybook = (
  tx: Tx,
  trial: {
    scope: TenantScope;
    caller: Caller;
    playbook: RunnablePlaybook;
    inputs: JsonObject;
    /** A second trial of the same caller with this key is the first one; another request throws IDEMPOTENCY_KEY_REUSED. */
    idempotencyKey: string | undefined;
  },
) => Promise<PlaybookRun>;
