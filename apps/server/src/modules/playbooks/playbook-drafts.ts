import { isDeepStrictEqual } from 'node:util';
import { parseRole } from '@airdeck/contracts/access/roles';
import type { ErrorDetailBody } from '@airdeck/contracts/error-codes';
import { jsonObjectSchema } from '@airdeck/contracts/fields';
/**
 * Drafts and versions of playbooks.
 *
 * A playbook has a published version, a draft, or both. A draft is anything the builder holds, and each save gets the next
 * number: a save that names another one than the newest is refused, so nobody overwrites what they have not seen.
 * Publishing makes the draft the next version and takes it away; versions never change. Whoever publishes, rolls back or
 * deletes holds the tenant's lock, because what is checked then (who starts whom) must still be true when it is written.
 * Runs keep the definition they started with, so none of this reaches them.
 */
import type {
  DraftDefinition,
  PlaybookDraft,
  PlaybookProblem,
  PlaybookUse,
  PlaybookVersion,
} from '@airdeck/contracts/playbooks/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { auditEntry, type Done, type Editor, notThere, requireRoom } from './playbook-changes.ts';
import type { PlaybookValidation } from './playbook-validation.ts';
import {
  addVersion,
  type DraftRow,
  findDraft,
  findPlaybook,
  findVersion,
  insertPlaybook,
  listVersions,
  lockPlaybooks,
  putDraft,
  removeDraft,
  removePlaybook,
} from './playbooks-repository.ts';

const VERSIONS_SHOWN = 100;
const VERSIONS_MAX_CHARS = 8_000_000;
const PROBLEMS_TOLD = 50;

export type NewDraft = {
  id: string;
  definition: DraftDefinition;
  /** Of the request with an Idempotency-Key, which made `id`. */
  requestHash: string | null;
};

export type DraftDependencies = {
  now: () => Date;
  audit: Pick<AuditLog, 'record'>;
  validation: PlaybookValidation;
  usesOf: (tx: Tx, scope: TenantScope, id: string) => Promise<PlaybookUse>;
};

export type PlaybookDrafts = ReturnType<typeof createPlaybookDrafts>;

export function createPlaybookDrafts(deps: DraftDependencies) {
  const { now, validation } = deps;

  async function lock(tx: Tx, scope: TenantScope, id: string) {
    const row = await findPlaybook(tx, scope, id, { lock: true });
    if (!row) throw notThere();
    return row;
  }

  async function wire(tx: Tx, scope: TenantScope, row: DraftRow): Promise<PlaybookDraft> {
    const { problems } = await validation.validate(tx, scope, row.definition, row.playbook_id);
    return onTheWire(row, problems);
  }

  async function record(tx: Tx, scope: TenantScope, done: Done, by: Editor): Promise<void> {
    await deps.audit.record(tx, auditEntry(scope, done, by));
  }

  async function requireValid(tx: Tx, scope: TenantScope, draft: DraftDefinition, id: string) {
    const { problems, definition } = await validation.validate(tx, scope, draft, id);
    if (definition !== undefined) return definition;
    const details = problems
      .slice(0, PROBLEMS_TOLD)
      .map(({ path, message, reason, values }) => ({ path, message, reason, values }));
    throw new AppError('PLAYBOOK_INVALID', { details });
  }

  return {
    /** The draft as it is; where there is none, the published version as revision 0. Throws NOT_FOUND. */
    async get(tx: Tx, scope: TenantScope, id: string): Promise<PlaybookDraft> {
      const draft = await findDraft(tx, scope, id);
      if (draft) return await wire(tx, scope, draft);
      const row = await findPlaybook(tx, scope, id);
      if (!row?.definition) throw notThere();
      return await wire(tx, scope, {
        tenant_id: scope.tenantId,
        playbook_id: id,
        revision: 0,
        definition: row.definition as DraftDefinition,
        updated_at: row.updated_at,
        updated_by: row.definition.metadata.updated_by,
      });
    },

    /** Begins a playbook. The same request again (by its id) finds what it made. Throws IDEMPOTENCY_KEY_REUSED. */
    async create(tx: Tx, scope: TenantScope, { id, definition, requestHash }: NewDraft, by: Editor) {
      const at = now();
      if (!(await insertPlaybook(tx, scope, { id, version: 0, definition: null, requestHash, at }))) {
        const known = await findPlaybook(tx, scope, id);
        if (requestHash === null || known?.request_hash !== requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
        return await this.get(tx, scope, id);
      }
      await requireRoom(tx, scope);
      const draft = await putDraft(tx, scope, id, {
        definition: signed(withRolesOfWire(definition), { author: by.username, updated_by: by.username }),
        updated_at: at,
        updated_by: by.username,
      });
      const answer = await wire(tx, scope, draft);
      await record(tx, scope, { id, action: 'playbook.create', data: { name: definition.metadata.name } }, by);
      return answer;
    },

    async save(
      tx: Tx,
      scope: TenantScope,
      { id, definition, revision, basedOn }: Save,
      by: Editor,
    ): Promise<PlaybookDraft> {
      const row = await lock(tx, scope, id);
      const before = await findDraft(tx, scope, id);
      if ((before?.revision ?? 0) !== revision) throw await changedMeanwhile(tx, scope, row, before);
      if (basedOn !== undefined && basedOn !== row.version) throw await changedMeanwhile(tx, scope, row, undefined);
      const author = (before?.definition ?? row.definition)?.metadata.author ?? by.username;
      const draft = await putDraft(tx, scope, id, {
        definition: signed(withRolesOfWire(definition), { author, updated_by: by.username }),
        updated_at: now(),
        updated_by: by.username,
      });
      const answer = await wire(tx, scope, draft);
      const data = { name: definition.metadata.name, revision: draft.revision };
      await record(tx, scope, { id, action: 'playbook.save_draft', data }, by);
      return answer;
    },

    /** Discarding what is not there changes nothing. Throws CONFLICT for a playbook that is nothing but its draft. */
    async discard(tx: Tx, scope: TenantScope, id: string, by: Editor): Promise<void> {
      const row = await lock(tx, scope, id);
      const draft = await findDraft(tx, scope, id);
      if (!draft) return;
      if (row.version === 0) {
        throw new AppError('CONFLICT', {
          message: 'This playbook was never published, so its draft is all there is. Delete the playbook instead.',
        });
      }
      await removeDraft(tx, scope, id);
      const data = { name: draft.definition.metadata.name, revision: draft.revision };
      await record(tx, scope, { id, action: 'playbook.discard_draft', data }, by);
    },

    async publish(
      tx: Tx,
      scope: TenantScope,
      { id, revision, note }: { id: string; revision: number; note: string },
      by: Editor,
    ): Promise<void> {
      await lockPlaybooks(tx, scope);
      const row = await lock(tx, scope, id);
      const draft = await findDraft(tx, scope, id);
      if (draft?.revision !== revision) throw await changedMeanwhile(tx, scope, row, draft);
      const definition = await requireValid(tx, scope, draft.definition, id);
      const version = row.version + 1;
      await addVersion(tx, scope, {
        ...{ playbook_id: id, version, definition, note },
        ...{ published_at: now(), published_by: by.username },
      });
      await removeDraft(tx, scope, id);
      const data = { name: definition.metadata.name, version };
      await record(tx, scope, { id, action: 'playbook.publish', data }, by);
    },

    /** A draft that stands stays as it is, and so does a playbook that is like this version already: asked twice is once. */
    async rollBack(
      tx: Tx,
      scope: TenantScope,
      { id, version: wanted }: { id: string; version: number },
      by: Editor,
    ): Promise<void> {
      await lockPlaybooks(tx, scope);
      const row = await lock(tx, scope, id);
      const old = await findVersion(tx, scope, { id, version: wanted });
      if (!old) throw new AppError('NOT_FOUND', { message: 'There is no such version of this playbook.' });
      const { author } = old.definition.metadata;
      const signature = { author, updated_by: by.username };
      const again = signed(old.definition as DraftDefinition, signature);
      const current = await findVersion(tx, scope, { id, version: row.version });
      if (current && isDeepStrictEqual(signed(current.definition as DraftDefinition, signature), again)) return;
      const definition = await requireValid(tx, scope, again, id);
      const version = row.version + 1;
      await addVersion(tx, scope, {
        ...{ playbook_id: id, version, definition, note: `Version ${wanted} again` },
        ...{ published_at: now(), published_by: by.username },
      });
      const data = { name: definition.metadata.name, version, rolled_back_to: wanted };
      await record(tx, scope, { id, action: 'playbook.roll_back', data }, by);
    },

    async versions(tx: Tx, scope: TenantScope, id: string): Promise<PlaybookVersion[]> {
      if (!(await findPlaybook(tx, scope, id))) throw notThere();
      const rows = await listVersions(tx, scope, id, { limit: VERSIONS_SHOWN, maxChars: VERSIONS_MAX_CHARS });
      return rows.map(({ version, note, published_at, published_by, definition }) => ({
        ...{ version, note, published_by, definition },
        published_at: published_at.toISOString(),
      }));
    },

    async requireThere(tx: Tx, scope: TenantScope, id: string): Promise<void> {
      if (!(await findPlaybook(tx, scope, id))) throw notThere();
    },

    async usedBy(tx: Tx, scope: TenantScope, id: string): Promise<PlaybookUse> {
      if (!(await findPlaybook(tx, scope, id))) throw notThere();
      return await deps.usesOf(tx, scope, id);
    },

    /** Throws PLAYBOOK_IN_USE while something could still start it, also what is switched off just now. */
    async remove(tx: Tx, scope: TenantScope, id: string, by: Editor): Promise<void> {
      await lockPlaybooks(tx, scope);
      const row = await lock(tx, scope, id);
      const details = detailsOfUse(await deps.usesOf(tx, scope, id));
      if (details.length > 0) throw new AppError('PLAYBOOK_IN_USE', { details });
      const name = (row.definition ?? (await findDraft(tx, scope, id))?.definition)?.metadata.name ?? '';
      await removePlaybook(tx, scope, id);
      await record(tx, scope, { id, action: 'playbook.delete', data: { name, version: row.version } }, by);
    },
  };
}

type Save = { id: string; definition: DraftDefinition; revision: number; basedOn: number | undefined };

/** Who wrote it is what the server knows, never what the body says. */
function signed(definition: DraftDefinition, by: { author: string; updated_by: string }): DraftDefinition {
  return { ...definition, metadata: { ...definition.metadata, ...by } };
}

/** The builder, and whoever reads the draft, knows one spelling of a role. What is no role stays, as a problem to be told. */
function withRolesOfWire(definition: DraftDefinition): DraftDefinition {
  const actions = definition.actions.map((action) => {
    const approvers = jsonObjectSchema.safeParse(action.approvers).data;
    const role = typeof approvers?.role === 'string' ? parseRole(approvers.role) : undefined;
    return role === undefined ? action : { ...action, approvers: { ...approvers, role } };
  });
  return { ...definition, actions };
}

function onTheWire(row: DraftRow, problems: readonly PlaybookProblem[]): PlaybookDraft {
  const { playbook_id, definition, revision, updated_by } = row;
  return {
    ...{ playbook_id, definition, revision, updated_by },
    updated_at: row.updated_at.toISOString(),
    problems: [...problems],
  };
}

/** Says who was there first and when, in words and field by field. */
async function changedMeanwhile(
  tx: Tx,
  scope: TenantScope,
  row: { id: string; version: number },
  draft: DraftRow | undefined,
): Promise<AppError> {
  const version = await findVersion(tx, scope, { id: row.id, version: row.version });
  const who = draft?.updated_by ?? version?.published_by ?? '';
  const at = (draft?.updated_at ?? version?.published_at)?.toISOString() ?? '';
  return new AppError('CONFLICT', {
    ...(draft
      ? refusal('PLAYBOOK_DRAFT_CHANGED', { who, at })
      : refusal('PLAYBOOK_DRAFT_GONE', { who, at, version: String(row.version) })),
    details: [
      { path: 'updated_by', message: who },
      { path: 'updated_at', message: at },
      { path: 'revision', message: String(draft?.revision ?? 0) },
      { path: 'version', message: String(row.version) },
    ],
  });
}

function detailsOfUse({ policies, automations, playbooks }: PlaybookUse): ErrorDetailBody[] {
  return [
    ...policies.map(({ rule_name, response_name, enabled }) => ({
      path: 'policies',
      ...refusal(enabled ? 'USE_POLICY' : 'USE_POLICY_OFF', { name: rule_name, response: response_name }),
    })),
    ...automations.map(({ name, response_name, enabled }) => ({
      path: 'automations',
      ...refusal(enabled ? 'USE_AUTOMATION' : 'USE_AUTOMATION_OFF', { name, response: response_name }),
    })),
    ...playbooks.map(({ name, action_id }) => ({
      path: 'playbooks',
      ...refusal('USE_PLAYBOOK', { name, action: action_id }),
    })),
  ];
}
