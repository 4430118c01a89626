import type { auditVerbs } from '@airdeck/contracts/audit/actions';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import type { EventSource, SourceKind } from '@airdeck/contracts/sources/schema';
import { AppError } from '../../http/app-error.ts';
import { type KeyedCreation, lockRequest } from '../../http/keyed-creation.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import { HOUR_MS } from './event-volume.ts';
import { hashSourceToken, newSourceToken, sourceTokenHint } from './source-token.ts';
import {
  countSources,
  findRequest,
  findSource,
  hasToken,
  insertSource,
  listSources,
  lockTokenHint,
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
  /** Makes the token of the source with this id, where it must be made again: by a repeated request, or by ourselves. */
  tokenOf?: (id: string) => string;
  /** Of a caller's key, which `tokenOf` goes with. */
  request?: KeyedCreation;
};

export type ChangedBy = { actor: AuditActor; requestId: string | null };

export type SourcesService = {
  list(tx: Tx, scope: TenantScope, around?: Surroundings): Promise<EventSource[]>;
  /** Throws NOT_FOUND for what is not the tenant's, or belongs to a connector. */
  get(tx: Tx, scope: TenantScope, id: string, around: Surroundings): Promise<EventSource>;
  /**
   * Returns the source and its token, which only the same request reads again. Throws IDEMPOTENCY_KEY_REUSED, and CONFLICT
   * when there are too many or what the request made has changed too much to answer with it.
   */
  createSource(tx: Tx, scope: TenantScope, source: NewSource, by: ChangedBy): Promise<EventSource & { token: string }>;
  /** Throws NOT_FOUND. */
  rename(tx: Tx, scope: TenantScope, change: { id: string; name: string }, by: ChangedBy): Promise<void>;
  /**
   * Ends the token and returns another one, which nobody can read again. `replaces`: the hint of the token that somebody was
   * asked about. Throws NOT_FOUND, and CONFLICT when it has another one by now.
   */
  rotateToken(
    tx: Tx,
    scope: TenantScope,
    id: string,
    by: ChangedBy,
    wanted?: { token?: string; replaces?: string },
  ): Promise<string>;
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
      repeated_24h: row.repeated_24h,
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

  /** What the same request made before; undefined when it is the first. */
  async function repeated(tx: Tx, scope: TenantScope, { request, tokenOf }: NewSource) {
    if (request === undefined || request.hash === null) return undefined;
    const { id, hash } = request;
    await lockRequest(tx, id);
    const known = await findRequest(tx, scope, id);
    if (known === undefined) return undefined;
    if (known !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    const row = await findSource(tx, scope, { id, since: dayAgo() });
    const token = tokenOf?.(id) ?? '';
    if (row === undefined || !(await hasToken(tx, scope, { id, tokenHash: hashSourceToken(token) }))) {
      throw new AppError('CONFLICT', {
        message: 'This request made an event source before, which was deleted or got another token since.',
      });
    }
    return { ...onTheWire(scope, row, { droppedLines: 0 }), token };
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
      const made = await repeated(tx, scope, source);
      if (made !== undefined) return made;
      const { name, kind, syslogDefault = false, senderAddresses = [], request } = source;
      if ((await countSources(tx, scope)) >= serverLimits.sourcesMax) {
        throw new AppError('CONFLICT', refusal('SOURCES_TOO_MANY', { maximum: serverLimits.sourcesMax }));
      }
      const [id, createdAt] = [request?.id ?? ids(), now()];
      const { token, tokenHash, tokenHint } = newToken(source.tokenOf?.(id));
      const row = { id, name, kind, tokenHash, tokenHint, syslogDefault, senderAddresses, createdAt };
      await insertSource(tx, scope, { ...row, requestHash: request?.hash ?? null });
      await record(tx, scope, { id, verb: 'create', data: { name, kind }, by });
      const shown = { id, name, kind, token_hint: tokenHint, last_event_at: null, created_at: createdAt };
      return {
        ...onTheWire(
          scope,
          { ...shown, events_24h: 0, rejected_24h: 0, repeated_24h: 0, clock: null },
          { droppedLines: 0 },
        ),
        token,
      };
    },
    async rename(tx, scope, { id, name }, by) {
      await change(tx, scope, id, { name });
      await record(tx, scope, { id, verb: 'rename', data: { name }, by });
    },
    async rotateToken(tx, scope, id, by, { token: wanted, replaces } = {}) {
      const { token, tokenHash, tokenHint } = newToken(wanted);
      const before = replaces === undefined ? undefined : await lockTokenHint(tx, scope, id);
      if (before !== undefined && before !== replaces) throw new AppError('CONFLICT');
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
