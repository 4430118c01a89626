import type { auditVerbs } from '@airdeck/contracts/audit/actions';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { EventSource, SourceKind } from '@airdeck/contracts/sources/schema';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import { HOUR_MS } from './event-volume.ts';
import { hashSourceToken, newSourceToken, sourceTokenHint } from './source-token.ts';
import {
  countSources,
  findSource,
  hasToken,
  insertSource,
  listSources,
  SOURCES_MAX,
  type SourceRow,
  updateSource,
} from './sources-repository.ts';

export type NewSource = {
  name: string;
  kind: SourceKind;
  /** Takes syslog lines that name no source; the installation has at most one. */
  syslogDefault?: boolean;
  /** Senders whose syslog lines need no token. */
  senderAddresses?: string[];
  /** Makes the token of the source with this id, where the product itself sets up who sends. */
  tokenOf?: (id: string) => string;
};

export type ChangedBy = { actor: AuditActor; requestId: string | null };

export type SourcesService = {
  list(tx: Tx, scope: TenantScope, around?: Surroundings): Promise<EventSource[]>;
  /** Throws NOT_FOUND for what is not the tenant's, or belongs to a connector. */
  get(tx: Tx, scope: TenantScope, id: string, around: Surroundings): Promise<EventSource>;
  /** Returns the source and its token, which nobody can read again. Throws CONFLICT when there are too many. */
  createSource(tx: Tx, scope: TenantScope, source: NewSource, by: ChangedBy): Promise<EventSource & { token: string }>;
  /** Throws NOT_FOUND. */
  rename(tx: Tx, scope: TenantScope, change: { id: string; name: string }, by: ChangedBy): Promise<void>;
  /** Ends the token and returns another one, which nobody can read again. Throws NOT_FOUND. */
  rotateToken(tx: Tx, scope: TenantScope, id: string, by: ChangedBy, token?: string): Promise<string>;
  /** Whether the tenant has the source, and this is its token. */
  opensWith(tx: Tx, scope: TenantScope, id: string, token: string): Promise<boolean>;
  /** Its token ends; events and figures stay. Throws NOT_FOUND. */
  remove(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<void>;
};

/** What is known of the doors all sources share. */
export type Surroundings = { droppedLines: number };

export type SourcesDependencies = {
  ids: () => string;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
  audit: Pick<AuditLog, 'record'>;
  /** Where the doors are from outside; known once they are open. */
  addresses: () => { http: string; syslogTcp: string | undefined };
  /** Ids by port of the syslog doors that are one source's own. */
  ports?: ReadonlyMap<number, string>;
};

export function createSourcesService(deps: SourcesDependencies): SourcesService {
  const { ids, now, audit } = deps;
  const dayAgo = () => new Date(now().getTime() - 24 * HOUR_MS);

  function onTheWire(scope: TenantScope, row: SourceRow, { droppedLines }: Surroundings): EventSource {
    const { http, syslogTcp } = deps.addresses();
    const byHttp = `${http}/api/${scope.tenantId}/event/ingest/${row.id}`;
    return {
      id: row.id,
      name: row.name,
      kind: row.kind,
      url: row.kind === 'syslog' ? (syslogAddress(row.id, syslogTcp) ?? byHttp) : byHttp,
      token_hint: row.token_hint,
      last_event_at: row.last_event_at?.toISOString() ?? null,
      events_24h: row.events_24h,
      rejected_24h: row.rejected_24h,
      clock_24h: clockOnWire(row.clock),
      dropped_24h: row.kind === 'syslog' ? droppedLines : null,
      created_at: row.created_at.toISOString(),
    };
  }

  /** At its own door where it has one. */
  function syslogAddress(id: string, shared: string | undefined): string | undefined {
    const own = [...(deps.ports ?? [])].find(([, source]) => source === id);
    return own === undefined ? shared : shared?.replace(/:\d+$/, `:${own[0]}`);
  }

  function newToken(token = newSourceToken(deps.randomBytes)) {
    const tokenHash = hashSourceToken(token);
    if (tokenHash === undefined) throw new Error('A new token must look like a token.');
    return { token, tokenHash, tokenHint: sourceTokenHint(token) };
  }

  async function change(tx: Tx, scope: TenantScope, id: string, to: Parameters<typeof updateSource>[3]): Promise<void> {
    if (!(await updateSource(tx, scope, id, to))) throw notFound();
  }

  function record(tx: Tx, scope: TenantScope, { id, verb, data, by }: Recorded): Promise<void> {
    return audit.record(tx, {
      tenant: scope.tenantId,
      actor: by.actor,
      action: `source.${verb}`,
      target: { kind: 'source', id },
      outcome: 'ok',
      data,
      request_id: by.requestId,
    });
  }

  return {
    async list(tx, scope, around = { droppedLines: 0 }) {
      const rows = await listSources(tx, scope, dayAgo());
      return rows.map((row) => onTheWire(scope, row, around));
    },
    async get(tx, scope, id, around) {
      const row = await findSource(tx, scope, { id, since: dayAgo() });
      if (row === undefined) throw notFound();
      return onTheWire(scope, row, around);
    },
    async createSource(tx, scope, source, by) {
      const { name, kind, syslogDefault = false, senderAddresses = [] } = source;
      if ((await countSources(tx, scope)) >= SOURCES_MAX) {
        throw new AppError('CONFLICT', refusal('SOURCES_TOO_MANY', { maximum: SOURCES_MAX }));
      }
      const [id, createdAt] = [ids(), now()];
      const { token, tokenHash, tokenHint } = newToken(source.tokenOf?.(id));
      const row = { id, name, kind, tokenHash, tokenHint, syslogDefault, senderAddresses, createdAt };
      await insertSource(tx, scope, row);
      await record(tx, scope, { id, verb: 'create', data: { name, kind }, by });
      const shown = { id, name, kind, token_hint: tokenHint, last_event_at: null, created_at: createdAt };
      return {
        ...onTheWire(scope, { ...shown, events_24h: 0, rejected_24h: 0, clock: null }, { droppedLines: 0 }),
        token,
      };
    },
    async rename(tx, scope, { id, name }, by) {
      await change(tx, scope, id, { name });
      await record(tx, scope, { id, verb: 'rename', data: { name }, by });
    },
    async rotateToken(tx, scope, id, by, wanted) {
      const { token, tokenHash, tokenHint } = newToken(wanted);
      await change(tx, scope, id, { token_hash: tokenHash, token_hint: tokenHint });
      await record(tx, scope, { id, verb: 'rotate_token', data: { token_hint: tokenHint }, by });
      return token;
    },
    opensWith: (tx, scope, id, token) => hasToken(tx, scope, { id, tokenHash: hashSourceToken(token) }),
    async remove(tx, scope, id, by) {
      await change(tx, scope, id, { deleted_at: now(), sender_addresses: [], syslog_default: false });
      await record(tx, scope, { id, verb: 'delete', data: {}, by });
    },
  };
}

/** The side most events are on says how the clock stands. */
function clockOnWire(row: SourceRow['clock']): EventSource['clock_24h'] {
  if (row === null) return null;
  const { ahead, ahead_ms, behind, behind_ms, unbelievable } = row;
  const [events, sum] = ahead >= behind ? [ahead, ahead_ms] : [behind, behind_ms];
  return { ahead, behind, unbelievable, offset_ms: events === 0 ? null : Math.round(sum / events) };
}

type Recorded = {
  id: string;
  verb: (typeof auditVerbs)['source'][number];
  data: Readonly<Record<string, string>>;
  by: ChangedBy;
};

function notFound(): AppError {
  return new AppError('NOT_FOUND', { message: 'There is no such event source.' });
}
