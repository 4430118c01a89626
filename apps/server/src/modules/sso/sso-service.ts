import type { SecretVault } from '@airdeck/connector-kit/secrets';
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { Told } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import type { SsoConnection, SsoConnectionChange, SsoConnectionInput } from '@airdeck/contracts/settings/schema';
import { AppError } from '../../http/app-error.ts';
import { overtaken } from '../../http/overtaken.ts';
import { laterThan } from '../../later-than.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { BreakGlass, SingleSignOn, TenantSettingsPort } from '../settings/settings-port.ts';
import type { TenantChanges } from '../tenants/tenant-changes.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { noSecret, type StoredSecret, sealSecret } from './connection-secret.ts';
import type { DomainsService } from './domains-service.ts';
import { isSharedDirectory, issuerProblem } from './issuer-address.ts';
import {
  type ConnectionRow,
  deleteConnection,
  findConnection,
  insertConnection,
  listConnections,
  lockConnection,
  replaceConnection,
} from './sso-repository.ts';

type Dependencies = {
  vault: SecretVault;
  audit: Pick<AuditLog, 'record' | 'recordAll'>;
  tenants: Pick<TenantChanges, 'lock'>;
  settings: Pick<TenantSettingsPort, 'signInPolicy' | 'singleSignOn'>;
  breakGlass: Pick<BreakGlass, 'review'>;
  domains: Pick<DomainsService, 'follow'>;
  endSessions: EndSessions;
  ids: () => string;
  now: () => Date;
  /** Our own address, which issuers send browsers back to. */
  redirectUri: () => string;
};

export type SsoService = ReturnType<typeof createSsoService>;

/**
 * Connections of one tenant. Client secrets go in and never come out.
 *
 * What changes them needs a system transaction and comes one after the other, under the lock settings and people of the
 * tenant are changed under too: no change takes away the single sign-on that the tenant's own rule makes the only way in,
 * and sessions end in the transaction that takes away what opened them.
 */
export function createSsoService(deps: Dependencies) {
  const wire = (row: ConnectionRow): SsoConnection => ({
    id: row.id,
    kind: row.kind,
    label: row.label,
    issuer: row.issuer,
    client_id: row.client_id,
    client_secret_set_at: row.secret_set_at?.toISOString() ?? null,
    domains: row.domains,
    join: {
      enabled: row.join_enabled,
      default_role: row.default_role,
      groups_claim: row.groups_claim,
      group_roles: row.group_roles,
    },
    enabled: row.enabled,
    redirect_uri: deps.redirectUri(),
    updated_at: row.updated_at.toISOString(),
  });

  function recordOf(row: ConnectionRow, action: AuditAction, by: ChangedBy, data: object = {}): AuditEntry {
    return {
      tenant: row.tenant_id,
      actor: by.actor,
      action,
      target: { kind: 'sso_connection', id: row.id },
      outcome: 'ok',
      data: {
        label: row.label,
        issuer: row.issuer,
        client_id: row.client_id,
        domains: row.domains,
        enabled: row.enabled,
        join: { enabled: row.join_enabled, default_role: row.default_role, group_roles: row.group_roles },
        ...data,
      },
      request_id: by.requestId,
    };
  }

  async function get(tx: Tx, scope: TenantScope, id: string): Promise<ConnectionRow> {
    const row = await findConnection(tx, scope, id);
    if (row === undefined) throw new AppError('NOT_FOUND');
    return row;
  }

  return {
    get,

    async list(tx: Tx, scope: TenantScope): Promise<SsoConnection[]> {
      return (await listConnections(tx, scope)).map(wire);
    },

    async create(tx: Tx, scope: TenantScope, input: SsoConnectionInput, by: ChangedBy): Promise<SsoConnection> {
      assertUsable(input);
      await deps.tenants.lock(tx, scope);
      if ((await listConnections(tx, scope)).length >= serverLimits.ssoConnectionsMax) {
        throw new AppError(
          'CONFLICT',
          refusal('SSO_CONNECTIONS_TOO_MANY', { maximum: serverLimits.ssoConnectionsMax }),
        );
      }
      const at = deps.now();
      const owner = { id: deps.ids(), tenant_id: scope.tenantId, issuer: input.issuer };
      const secret =
        input.client_secret === undefined ? noSecret : await sealSecret(deps.vault, owner, input.client_secret);
      const row: ConnectionRow = { ...owner, ...columnsOf(input), ...secret, created_at: at, updated_at: at };
      await insertConnection(tx, row);
      await deps.domains.follow(tx, scope, row.domains);
      await deps.audit.record(tx, recordOf(row, 'sso_connection.create', by));
      return wire(row);
    },

    async update(
      tx: Tx,
      scope: TenantScope,
      change: { id: string; input: SsoConnectionChange },
      by: ChangedBy,
    ): Promise<SsoConnection> {
      const { id, input } = change;
      await deps.tenants.lock(tx, scope);
      const known = await lockConnection(tx, scope, id);
      if (known === undefined) throw new AppError('NOT_FOUND');
      if (input.updated_at !== undefined && known.updated_at.getTime() !== Date.parse(input.updated_at)) {
        throw overtaken('body.updated_at', {
          message: 'Somebody else changed this connection in the meantime. Load it again and look before you save.',
        });
      }
      assertUsable(input);
      const before = await deps.settings.singleSignOn(tx, scope.tenantId);
      const secret = await secretAfter(deps.vault, known, input);
      const row: ConnectionRow = {
        ...known,
        ...columnsOf(input),
        ...secret,
        updated_at: laterThan(known.updated_at, deps.now()),
      };
      await replaceConnection(tx, row);
      await deps.domains.follow(tx, scope, row.domains);
      await requireNoLess(deps, tx, scope, before);
      // Whoever came through an issuer the tenant trusts no more is not vouched for any longer.
      const isOver = known.enabled && (!row.enabled || !isSameIssuer(known, row));
      const sessions_ended = isOver ? await deps.endSessions(tx, id) : 0;
      await deps.audit.record(tx, recordOf(row, 'sso_connection.update', by, { sessions_ended }));
      return wire(row);
    },

    async remove(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<void> {
      await deps.tenants.lock(tx, scope);
      const row = await lockConnection(tx, scope, id);
      if (row === undefined) throw new AppError('NOT_FOUND');
      const before = await deps.settings.singleSignOn(tx, scope.tenantId);
      await deleteConnection(tx, scope, id);
      await deps.domains.follow(tx, scope, []);
      await requireNoLess(deps, tx, scope, before);
      const isLast = (await listConnections(tx, scope)).length === 0;
      const reviewed = isLast ? await deps.breakGlass.review(tx, scope.tenantId, by) : [];
      const sessions_ended = await deps.endSessions(tx, id);
      await deps.audit.recordAll(tx, [recordOf(row, 'sso_connection.delete', by, { sessions_ended }), ...reviewed]);
    },
  };
}

const order: readonly SingleSignOn[] = ['none', 'unproved', 'usable'];

/** Throws CONFLICT where single sign-on is the only way in and the change leaves less of it. */
async function requireNoLess(
  { settings }: Pick<Dependencies, 'settings'>,
  tx: Tx,
  { tenantId }: TenantScope,
  before: SingleSignOn,
): Promise<void> {
  if (!(await settings.signInPolicy(tx, tenantId)).ssoRequired) return;
  if (order.indexOf(await settings.singleSignOn(tx, tenantId)) >= order.indexOf(before)) return;
  throw new AppError('CONFLICT', {
    message:
      'People of this tenant sign in through single sign-on only, and this is the last connection they could do it with. Allow other ways first.',
  });
}

function isSameIssuer(one: Pick<ConnectionRow, 'issuer'>, other: Pick<ConnectionRow, 'issuer'>): boolean {
  return new URL(one.issuer).href === new URL(other.issuer).href;
}

/** Ends every session that began with the connection; how many. */
export type EndSessions = (tx: Tx, connectionId: string) => Promise<number>;

function columnsOf(input: SsoConnectionInput) {
  return {
    kind: input.kind,
    label: input.label,
    issuer: input.issuer,
    client_id: input.client_id,
    domains: [...new Set(input.domains)],
    join_enabled: input.join.enabled,
    default_role: input.join.default_role,
    groups_claim: input.join.groups_claim,
    group_roles: input.join.group_roles,
    enabled: input.enabled,
  };
}

/**
 * A stored secret stays only with its issuer: otherwise somebody who may change the address, but was never told the
 * secret, could have it sent to an issuer of their own.
 */
async function secretAfter(vault: SecretVault, known: ConnectionRow, input: SsoConnectionInput): Promise<StoredSecret> {
  if (input.client_secret !== undefined) {
    return await sealSecret(vault, { ...known, issuer: input.issuer }, input.client_secret);
  }
  if (known.sealed_secret === null || isSameIssuer(known, input)) {
    const { wrapped_key, sealed_secret, secret_set_at } = known;
    return { wrapped_key, sealed_secret, secret_set_at };
  }
  throw invalid('client_secret', refusal('SSO_SECRET_AGAIN'));
}

function assertUsable(input: SsoConnectionInput): void {
  const problem = issuerProblem(input.issuer);
  if (problem !== undefined) throw invalid('issuer', problem);
  if (isSharedDirectory(input.issuer)) {
    // What such a directory says of groups and domains is the word of whoever made an account there.
    throw invalid('issuer', refusal('SSO_DIRECTORY_SHARED'));
  }
  const { join } = input;
  if (join.enabled && join.default_role === null && join.group_roles.length === 0) {
    throw invalid('join', refusal('SSO_JOIN_ROLE'));
  }
  if (join.enabled && join.group_roles.length > 0 && join.groups_claim === '') {
    throw invalid('join.groups_claim', refusal('SSO_GROUPS_CLAIM'));
  }
}

function invalid(path: string, told: Told): AppError {
  return new AppError('VALIDATION_FAILED', { details: [{ path: `body.${path}`, ...told }] });
}
