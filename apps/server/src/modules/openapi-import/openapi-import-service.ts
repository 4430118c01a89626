/**
 * Integrations made of descriptions that people upload. The document is a stranger's: it is read in a thread of its own,
 * bounded in size, time and memory, and what comes out is data. It names no address that gets called; the address and the
 * credentials are those of a connector somebody sets up, and every call goes through the guarded egress.
 */
import { createRegistry, RegistryError } from '@airdeck/connector-kit/registry';
import { isSettableHeader } from '@airdeck/connector-kit/settable-header';
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { ToldPart } from '@airdeck/contracts/filled-text';
import type {
  ImportedCredential,
  ImportedIntegration,
  OpenapiDocument,
  OpenapiImportInput,
} from '@airdeck/contracts/openapi/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { isNameOfIngestion } from '../connectors/connector-view.ts';
import type { UsesOf } from '../integrations/uses-port.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { plainAddress } from './openapi-address.ts';
import { compileIntegration } from './openapi-connector.ts';
import { OpenapiError } from './openapi-error.ts';
import { ownDefinitionId } from './openapi-import-port.ts';
import {
  addDocument,
  addIntegration,
  definitionOf,
  findDocument,
  findIntegration,
  givenVerbs,
  listIntegrations,
  lockIntegrations,
  type OwnIntegrationRow,
  removeIntegration,
  replaceIntegration,
} from './openapi-import-repository.ts';
import type { OpenapiIntegration } from './openapi-integration.ts';
import type { DocumentOverview } from './openapi-overview.ts';
import type { OpenapiReader } from './openapi-reader.ts';
import { operationKeyOf } from './openapi-request.ts';
import { type CredentialPlan, credentialPlanOf } from './openapi-security.ts';
import type { GivenVerb } from './openapi-verbs.ts';

export const DOCUMENT_KEPT_MS = 24 * 3_600_000;
const DOCUMENTS_MAX = 5;
/** As it is stored; processes keep some in memory, and lists of actions carry their schemas. */
const INTEGRATION_MAX_CHARS = 524_288;

export type ImportDependencies = {
  reader: OpenapiReader;
  audit: Pick<AuditLog, 'record'>;
  /** Its connectors, as people call them. Holds back new ones until the transaction ends. */
  connectorsOf: (tx: Tx, scope: TenantScope, definitionId: string) => Promise<ToldPart[]>;
  usesOf: UsesOf;
  ids: () => string;
  now: () => Date;
};

export type OpenapiImportService = ReturnType<typeof createOpenapiImportService>;

export function createOpenapiImportService(deps: ImportDependencies) {
  const { reader, ids, now } = deps;

  async function wire(tx: Tx, scope: TenantScope, row: OwnIntegrationRow): Promise<ImportedIntegration> {
    const definition = await definitionOf(tx, scope, row);
    const definitionId = ownDefinitionId(row.id);
    return {
      id: row.id,
      definition_id: definitionId,
      name: row.name,
      description: definition.description,
      version: row.version,
      actions: definition.actions.map(({ verb }) => `${definitionId}.${verb}`),
      operations: definition.actions.map(({ request }) => operationKeyOf(request)),
      created_by: row.created_by,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  }

  async function get(tx: Tx, scope: TenantScope, id: string): Promise<OwnIntegrationRow> {
    const row = await findIntegration(tx, scope, id);
    if (row === undefined) throw new AppError('NOT_FOUND', { message: 'This integration does not exist.' });
    return row;
  }

  async function record(
    tx: Tx,
    scope: TenantScope,
    done: { action: AuditAction; id: string; data: Record<string, unknown> },
    by: ChangedBy,
  ): Promise<void> {
    await deps.audit.record(tx, {
      tenant: scope.tenantId,
      actor: by.actor,
      action: done.action,
      target: { kind: 'integration', id: done.id },
      outcome: 'ok',
      data: done.data,
      request_id: by.requestId,
    });
  }

  return {
    get,

    /** Reads the document outside of any transaction. Throws AppError for whatever cannot be imported. */
    overviewOf: (content: Buffer) => readable(() => reader.list(content)),

    async keep(
      tx: Tx,
      scope: TenantScope,
      { content, overview }: { content: Buffer; overview: DocumentOverview },
      by: ChangedBy,
    ): Promise<OpenapiDocument> {
      const id = ids();
      const at = now();
      await addDocument(tx, scope, { id, content, at, keep: DOCUMENTS_MAX });
      const data = { bytes: content.byteLength, operations: overview.operations.length };
      await record(tx, scope, { action: 'openapi.upload', id, data }, by);
      return {
        id,
        expires_at: new Date(at.getTime() + DOCUMENT_KEPT_MS).toISOString(),
        ...overview,
        servers: [...overview.servers],
        credentials: [...overview.credentials],
        warnings: [...overview.warnings],
        operations: overview.operations.map(({ tags, ...operation }) => ({ ...operation, tags: [...tags] })),
      };
    },

    async documentOf(tx: Tx, scope: TenantScope, id: string): Promise<Buffer> {
      const content = await findDocument(tx, scope, { id, since: new Date(now().getTime() - DOCUMENT_KEPT_MS) });
      if (content !== undefined) return content;
      throw new AppError('NOT_FOUND', { message: 'This document is not there any more. Upload it again.' });
    },

    /** The verbs that operations keep when an integration is imported again. Throws NOT_FOUND when it is not there. */
    async givenVerbs(tx: Tx, scope: TenantScope, { replaces }: OpenapiImportInput): Promise<GivenVerb[]> {
      if (replaces === undefined) return [];
      const { id } = await get(tx, scope, replaces.id);
      return await givenVerbs(tx, scope, id);
    },

    /** The chosen operations as an integration that keeps every promise one of the product's has to keep. */
    async make(content: Buffer, input: OpenapiImportInput, given: readonly GivenVerb[]): Promise<OpenapiIntegration> {
      const base_url = input.base_url === undefined ? undefined : requireAddress(input.base_url);
      const made = await readable(() => reader.make(content, input.operations, given));
      const integration = {
        ...made,
        name: input.name ?? made.name,
        base_url: base_url ?? made.base_url,
        credentials: input.credential === undefined ? made.credentials : requireUsable(input.credential),
      };
      requireListable(integration.name);
      requireSound(integration);
      return integration;
    },

    /** What would miss the actions that the integration would not have any more. */
    async usesOfLost(
      tx: Tx,
      scope: TenantScope,
      { input, integration }: { input: OpenapiImportInput; integration: OpenapiIntegration },
    ): Promise<ToldPart[]> {
      const before = input.replaces && (await findIntegration(tx, scope, input.replaces.id));
      // Of another version than the one that was seen saving makes nothing, or answers what this request has made of it.
      if (before === undefined || before.version !== input.replaces?.version) return [];
      const stays = new Set(integration.actions.map(({ verb }) => verb));
      const { actions } = await definitionOf(tx, scope, before);
      const lost = actions.filter(({ verb }) => !stays.has(verb));
      if (lost.length === 0) return [];
      const definitionId = ownDefinitionId(before.id);
      return await deps.usesOf(tx, scope, { actionIds: lost.map(({ verb }) => `${definitionId}.${verb}`) });
    },

    async save(
      tx: Tx,
      scope: TenantScope,
      { input, integration }: { input: OpenapiImportInput; integration: OpenapiIntegration },
      by: ChangedBy & { username: string },
    ): Promise<ImportedIntegration> {
      await lockIntegrations(tx, scope);
      const at = now();
      const before = input.replaces === undefined ? undefined : await get(tx, scope, input.replaces.id);
      if (before !== undefined && before.version !== input.replaces?.version) throw new AppError('CONFLICT');
      const id = before?.id ?? ids();
      const { name } = integration;
      await requireRoom(tx, scope, { id, name });
      const row = {
        id,
        name,
        version: (before?.version ?? 0) + 1,
        definition: integration,
        created_by: before?.created_by ?? by.username,
        created_at: before?.created_at ?? at,
        updated_at: at,
      };
      if (before === undefined) await addIntegration(tx, scope, row);
      else await replaceIntegration(tx, scope, row, by.username);
      const answer = await wire(tx, scope, row);
      const action = before === undefined ? 'integration.import' : 'integration.update';
      const data = { name, version: row.version, actions: integration.actions.length };
      await record(tx, scope, { action, id, data }, by);
      return answer;
    },

    async list(tx: Tx, scope: TenantScope): Promise<ImportedIntegration[]> {
      const all: ImportedIntegration[] = [];
      for (const row of await listIntegrations(tx, scope)) all.push(await wire(tx, scope, row));
      return all;
    },

    /** Throws CONFLICT naming what still uses it. */
    async requireUnused(tx: Tx, scope: TenantScope, id: string): Promise<OwnIntegrationRow> {
      const row = await get(tx, scope, id);
      const definitionId = ownDefinitionId(id);
      const connectors = await deps.connectorsOf(tx, scope, definitionId);
      const uses = [...connectors, ...(await deps.usesOf(tx, scope, { integration: definitionId }))];
      if (uses.length === 0) return row;
      throw new AppError('CONFLICT', refusal('INTEGRATION_USED', { name: row.name, uses }));
    },

    /** Throws NOT_FOUND, and CONFLICT when it is used or of another version by now. */
    async remove(
      tx: Tx,
      scope: TenantScope,
      { id, version }: Pick<OwnIntegrationRow, 'id' | 'version'>,
      by: ChangedBy,
    ): Promise<void> {
      await lockIntegrations(tx, scope);
      const row = await this.requireUnused(tx, scope, id);
      if (row.version !== version) throw new AppError('CONFLICT');
      await removeIntegration(tx, scope, id);
      await record(tx, scope, { action: 'integration.delete', id, data: { name: row.name } }, by);
    },
  };
}

async function requireRoom(tx: Tx, scope: TenantScope, wanted: { id: string; name: string }): Promise<void> {
  const others = (await listIntegrations(tx, scope)).filter(({ id }) => id !== wanted.id);
  if (others.length >= serverLimits.ownIntegrationsMax) {
    throw new AppError('CONFLICT', refusal('INTEGRATIONS_TOO_MANY', { maximum: serverLimits.ownIntegrationsMax }));
  }
  if (others.some(({ name }) => name.toLowerCase() === wanted.name.toLowerCase())) {
    throw new AppError('CONFLICT', refusal('INTEGRATION_NAME_TAKEN', { name: wanted.name }));
  }
}

function requireListable(name: string): void {
  if (!isNameOfIngestion(name)) return;
  const message = 'This name is that of the product’s own intake. Give it another one.';
  throw new AppError('VALIDATION_FAILED', { details: [{ path: 'body.name', message }] });
}

function requireAddress(text: string): string {
  const address = plainAddress(text);
  if (address !== null) return address;
  const message = 'An address such as https://api.example.net/v1, without credentials, parameters or fragment.';
  throw new AppError('VALIDATION_FAILED', { details: [{ path: 'body.base_url', message }] });
}

/** Headers of the connection itself are nobody's to set; the one for credentials may be. */
function requireUsable(credential: ImportedCredential): CredentialPlan {
  const isReserved =
    credential.kind === 'key' &&
    credential.place === 'header' &&
    credential.name.toLowerCase() !== 'authorization' &&
    !isSettableHeader(credential.name);
  if (!isReserved) return credentialPlanOf(credential);
  const refused = refusal('INTEGRATION_HEADER_RESERVED', { name: credential.name });
  throw new AppError('VALIDATION_FAILED', { details: [{ path: 'body.credential.name', ...refused }] });
}

function requireSound(integration: OpenapiIntegration): void {
  if (JSON.stringify(integration).length > INTEGRATION_MAX_CHARS) {
    const message = 'These operations are too large together. Choose fewer of them.';
    throw new AppError('VALIDATION_FAILED', { message, details: [{ path: 'body.operations', message }] });
  }
  try {
    createRegistry([compileIntegration(ownDefinitionId('00000000-0000-0000-0000-000000000000'), integration)]);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const details = error.problems.slice(0, 20).map((message) => ({ path: 'body.operations', message }));
    throw new AppError('VALIDATION_FAILED', { message: 'These operations cannot be imported.', details, cause: error });
  }
}

/** Says what is wrong with a document to whoever uploaded it. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OpenapiError)) throw error;
    const { code, message } = error;
    if (code === 'DOCUMENT_TOO_LARGE') throw new AppError('BODY_TOO_LARGE', { message, cause: error });
    if (code === 'READING_STOPPED') throw new AppError('OVERLOADED', { message, retryAfterS: 60, cause: error });
    const path = code === 'OPERATION_UNKNOWN' || code === 'OPERATION_UNSUPPORTED' ? 'body.operations' : 'body';
    throw new AppError('VALIDATION_FAILED', { message, details: [{ path, message }], cause: error });
  }
}
