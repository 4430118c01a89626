import type { EventSource, SourceKind } from '@airdeck/contracts/sources/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import { HOUR_MS } from './event-volume.ts';
import { hashSourceToken, newSourceToken, sourceTokenHint } from './source-token.ts';
import { insertSource, listSources, type SourceRow } from './sources-repository.ts';

export type NewSource = {
  name: string;
  kind: SourceKind;
  /** Takes syslog lines that name no source; the installation has at most one. */
  syslogDefault?: boolean;
  /** Senders whose syslog lines need no token. */
  senderAddresses?: string[];
};

export type ChangedBy = { actor: AuditActor; requestId: string | null };

export type SourcesService = {
  list(tx: Tx, scope: TenantScope): Promise<EventSource[]>;
  /** Returns the source and its token, which nobody can read again. */
  createSource(tx: Tx, scope: TenantScope, source: NewSource, by: ChangedBy): Promise<EventSource & { token: string }>;
};

export type SourcesDependencies = {
  ids: () => string;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
  audit: Pick<AuditLog, 'record'>;
  /** Where the doors are from outside; known once they are open. */
  addresses: () => { http: string; syslogTcp: string | undefined };
};

export function createSourcesService(deps: SourcesDependencies): SourcesService {
  const { ids, now, audit } = deps;

  function onTheWire(scope: TenantScope, row: SourceRow): EventSource {
    const { http, syslogTcp } = deps.addresses();
    const byHttp = `${http}/api/${scope.tenantId}/event/ingest/${row.id}`;
    return {
      id: row.id,
      name: row.name,
      kind: row.kind,
      url: row.kind === 'syslog' ? (syslogTcp ?? byHttp) : byHttp,
      token_hint: row.token_hint,
      last_event_at: row.last_event_at?.toISOString() ?? null,
      events_24h: row.events_24h,
    };
  }

  return {
    async list(tx, scope) {
      const rows = await listSources(tx, scope, new Date(now().getTime() - 24 * HOUR_MS));
      return rows.map((row) => onTheWire(scope, row));
    },
    async createSource(tx, scope, source, by) {
      const { name, kind, syslogDefault = false, senderAddresses = [] } = source;
      const [id, token] = [ids(), newSourceToken(deps.randomBytes)];
      const tokenHash = hashSourceToken(token);
      if (tokenHash === undefined) throw new Error('A new token must look like a token.');
      const tokenHint = sourceTokenHint(token);
      await insertSource(tx, scope, {
        id,
        name,
        kind,
        tokenHash,
        tokenHint,
        syslogDefault,
        senderAddresses,
        createdAt: now(),
      });
      await audit.record(tx, {
        tenant: scope.tenantId,
        actor: by.actor,
        action: 'source.create',
        target: { kind: 'source', id },
        outcome: 'ok',
        data: { name, kind },
        request_id: by.requestId,
      });
      return {
        ...onTheWire(scope, { id, name, kind, token_hint: tokenHint, last_event_at: null, events_24h: 0 }),
        token,
      };
    },
  };
}
