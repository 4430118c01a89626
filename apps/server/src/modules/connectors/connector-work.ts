/**
 * What is done for connectors by itself: tests, fetching events, fetching metrics. Every piece of it is a row with the time
 * it is due. A schedule of the engine turns what is due into jobs, one per piece at a time (the job's key is the piece), so
 * any number of workers share them; a job ends by writing what came of it and when the piece is due again, in one
 * transaction. A crash before that leaves the piece due: it is done again.
 */

import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { SecretError } from '@airdeck/connector-kit/secrets';
import type { ConnectionTestResult, ConnectorCheck } from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Told } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { EnqueueJobInput, JobHandler } from '@airdeck/engine/interfaces';
import { z } from 'zod';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { Enqueue } from '../activity/enqueue-port.ts';
import type { DefinitionLookup } from '../integrations/definitions-port.ts';
import type { Changes } from '../stream/changes.ts';
import type { ConnectionTester, Tested } from './connection-tester.ts';
import { type ConnectorChange, changeConnector, findConnector, lockConnector } from './connector-rows.ts';
import type { ConnectorSecrets } from './connector-secrets.ts';
import type { ConnectorWork } from './connector-work-port.ts';
import {
  addCheck,
  bringTestForward,
  listDueWork,
  pruneChecks,
  settleWork,
  setWork,
  workOf,
} from './connector-work-repository.ts';
import { type ConnectorRow, secretsOf } from './connectors-repository.ts';
import type { WorkKind } from './connectors-tables.ts';
import { dueAfter, everyMs, waitMs } from './work-pace.ts';

export const DUE_JOB = { kind: 'connectors.due', expression: '*/15 * * * * *' } as const;
export const jobKindOf = {
  test: 'connectors.test',
  events: 'connectors.events',
  metrics: 'connectors.metrics',
} as const;

const DUE_AT_ONCE = 2_000;
/** What is due before the next look is put in line for its own time; longer than from one look to the next. */
const AHEAD_MS = 20_000;
/** Times are rounded up to this, so that many pieces do not wake the engine one by one. */
const TOGETHER_MS = 2_000;
const CHECKS_KEPT = 100;
/** Runs of people come first. */
const PRIORITY = -10;

/** With these, metrics fail because of the vendor or the credentials as a whole: a test shows whether all else fails too. */
const tellsOfAnOutage: ReadonlySet<string | null> = new Set([
  'VENDOR_UNAVAILABLE',
  'VENDOR_CREDENTIALS_REFUSED',
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TLS_FAILED',
  'TIMEOUT',
]);

const payloadSchema = z.object({ connector_id: z.string() });

export type WorkDependencies = {
  db: Pick<Database, 'tenant' | 'system'>;
  registry: DefinitionLookup;
  secrets: ConnectorSecrets;
  tester: ConnectionTester;
  changes: Pick<Changes, 'announce'>;
  enqueue: Enqueue;
  ids: () => string;
  now: () => Date;
  random: () => number;
};

/** A connector with its secrets in the clear, for the time of one piece of work. */
export type Opened = { row: ConnectorRow; definition: ConnectorDefinition; config: JsonObject; secrets: string[] };

/** How a piece of work went, as the history shows it. */
export type Outcome = Told &
  Pick<ConnectorCheck, 'status' | 'code' | 'records'> & {
    durationMs: number;
    retryable: boolean;
    retryAfterS: number | undefined;
    /** More is there to fetch: due again at once. */
    hasMore?: boolean;
    /** A part failed and the rest went on: it is told like a failure, and goes on at its pace. */
    inPart?: boolean;
    /** Whether it says anything about the vendor; a store of ours that is away does not. */
    aboutVendor: boolean;
    change?: ConnectorChange;
  };

export type ConnectorWorkService = ReturnType<typeof createConnectorWork>;

export function createConnectorWork(deps: WorkDependencies) {
  const { db, registry, now } = deps;

  const plan: ConnectorWork['plan'] = async (tx, scope, connector, { anew, now: atOnce }) => {
    const definition = await registry.find(connector.definition_id, tx, scope);
    for (const kind of anew) {
      const applies = definition !== undefined && isWanted(kind, connector, definition);
      // Events begin after the test, whose result people wait for.
      const wait = kind === 'test' && !atOnce ? everyMs('test') : kind === 'test' ? 0 : 5_000;
      const dueAt = applies ? new Date(now().getTime() + wait) : null;
      await setWork(tx, scope, { connectorId: connector.id, kind, dueAt });
    }
    if (atOnce) await deps.enqueue(tx, jobOf({ tenantId: scope.tenantId, connectorId: connector.id, kind: 'test' }));
  };

  /** Undefined when there is nothing to do: gone, paused, switched off. Then nothing is due either. */
  async function open(scope: TenantScope, connectorId: string, kind: WorkKind): Promise<Opened | undefined> {
    return await db.tenant(scope.tenantId, async (tx) => {
      const row = await findConnector(tx, scope, connectorId);
      const definition = row && (await registry.find(row.definition_id, tx, scope));
      if (row === undefined || definition === undefined) return undefined;
      if (!isWanted(kind, row, definition)) {
        await setWork(tx, scope, { connectorId, kind, dueAt: null });
        return undefined;
      }
      const rows = await secretsOf(tx, scope, row.id);
      const opened = await deps.secrets.open(tx, scope, { definition, id: row.id, plain: row.config, rows });
      return { row, definition, config: { ...row.config, ...opened }, secrets: Object.values(opened) };
    });
  }

  /** Writes what came of it, unless the connector was changed while it was tried: then it says nothing about it any more. */
  async function settle(
    scope: TenantScope,
    tried: { connectorId: string; updatedAt: Date | undefined; kind: WorkKind; by: ConnectorCheck['by'] },
    outcome: Outcome,
  ): Promise<void> {
    await db.tenant(scope.tenantId, async (tx) => {
      const row = await lockConnector(tx, scope, tried.connectorId);
      if (row === undefined) return;
      if (tried.updatedAt !== undefined && row.updated_at.getTime() !== tried.updatedAt.getTime()) return;
      await settlePiece(tx, scope, { ...tried, row }, outcome);
      if (tried.kind === 'metrics' && tellsOfAnOutage.has(outcome.code))
        await bringTestForward(tx, scope, row.id, now());
      if (worthKeeping(tried, outcome)) await addCheck(tx, scope, row.id, checkOf(tried, outcome));
      const state = stateAfter(row, tried.kind, outcome);
      const success =
        outcome.aboutVendor && tried.kind !== 'metrics' && outcome.status === 'success'
          ? { last_successful_connection: outcome.change?.test_at ?? now() }
          : {};
      await changeConnector(tx, scope, row.id, { state, ...success, ...outcome.change });
      const visible = state !== row.state || tried.by === 'person' || (outcome.records ?? 0) > 0;
      if (visible || (tried.kind === 'test' && row.test_message !== outcome.message)) {
        await deps.changes.announce(tx, { tenant: scope.tenantId, kind: 'connector', id: row.id, status: state });
      }
    });
  }

  async function settlePiece(
    tx: Tx,
    scope: TenantScope,
    { row, kind }: { row: ConnectorRow; kind: WorkKind },
    outcome: Outcome,
  ): Promise<void> {
    const piece = (await workOf(tx, scope, row.id)).find((one) => one.kind === kind);
    const ok = outcome.status !== 'error';
    const failures = ok ? 0 : (piece?.failures ?? 0) + 1;
    const { retryable, retryAfterS } = outcome;
    const wait =
      ok || outcome.inPart === true
        ? waitMs(kind, { ok: true, hasMore: outcome.hasMore === true, retryAfterS }, deps.random)
        : waitMs(kind, { ok, failures, retryable, retryAfterS }, deps.random);
    const keepsPace = ok && outcome.hasMore !== true && retryAfterS === undefined;
    await settleWork(tx, scope, {
      connectorId: row.id,
      kind,
      dueAt: keepsPace
        ? dueAfter(wait, { dueAt: piece?.due_at ?? null, now: now() })
        : new Date(now().getTime() + wait),
      failures,
      failingSince: ok ? null : (piece?.failing_since ?? now()),
    });
  }

  /** Events that nobody will ever see, as an entry of its own: no outage, as the vendor answered and the rest goes on. */
  async function tellLeftOut(
    tx: Tx,
    scope: TenantScope,
    { connectorId, name, count }: { connectorId: string; name: string; count: number },
  ): Promise<void> {
    const told =
      count === 1
        ? refusal('CONNECTOR_EVENTS_LEFT_OUT_ONE', { name })
        : refusal('CONNECTOR_EVENTS_LEFT_OUT', { name, count });
    const outcome = { ...told, status: 'error', code: 'BODY_TOO_LARGE', records: null, durationMs: 0 } as const;
    await addCheck(tx, scope, connectorId, checkOf({ kind: 'events', by: 'schedule' }, outcome));
  }

  function checkOf(
    tried: { kind: WorkKind; by: ConnectorCheck['by'] },
    outcome: Told & Pick<Outcome, 'status' | 'code' | 'records' | 'durationMs'>,
  ) {
    return {
      id: deps.ids(),
      at: now(),
      kind: tried.kind,
      by: tried.by,
      status: outcome.status,
      code: outcome.code,
      message: outcome.message,
      told: storedTold(outcome),
      records: outcome.records,
      duration_ms: outcome.durationMs,
    };
  }

  /** Tests a saved connector and keeps the result; a paused one may be tested by a person. Undefined when it is gone. */
  async function test(
    scope: TenantScope,
    tried: { connectorId: string; by: ConnectorCheck['by']; signal: AbortSignal },
  ): Promise<ConnectionTestResult | undefined> {
    const found = await db.tenant(scope.tenantId, async (tx) => {
      const row = await findConnector(tx, scope, tried.connectorId);
      const definition = row && (await registry.find(row.definition_id, tx, scope));
      return row && definition && { row, definition, rows: await secretsOf(tx, scope, row.id) };
    });
    if (!found) return undefined;
    const { row } = found;
    const tested = await testOpened(deps, scope, found, tried.signal);
    throwIfStopped(tried.signal);
    await settle(
      scope,
      { connectorId: row.id, updatedAt: row.updated_at, kind: 'test', by: tried.by },
      {
        status: tested.status,
        code: tested.code,
        message: tested.message,
        reason: tested.reason,
        values: tested.values,
        records: null,
        durationMs: tested.duration_ms,
        retryable: tested.retryable,
        retryAfterS: tested.retryAfterS,
        aboutVendor: true,
        change: {
          test_at: now(),
          test_status: tested.status,
          test_message: tested.message,
          test_told: storedTold(tested),
          test_metadata: JSON.stringify(tested.metadata),
        },
      },
    );
    const { code: _code, retryable: _retryable, retryAfterS: _retryAfterS, ...told } = tested;
    return told;
  }

  const sweep: JobHandler = {
    timeoutMs: 60_000,
    async run() {
      await db.system(async (tx) => {
        const at = now();
        for (const due of await listDueWork(tx, new Date(at.getTime() + AHEAD_MS), DUE_AT_ONCE)) {
          const isDue = due.due_at <= at;
          // A test put in line would make one that a person waits for come later: they share their key.
          if (!isDue && due.kind === 'test') continue;
          const piece = { tenantId: due.tenant_id, connectorId: due.connector_id, kind: due.kind };
          const runAt = new Date(Math.ceil(due.due_at.getTime() / TOGETHER_MS) * TOGETHER_MS);
          await deps.enqueue(tx, { ...jobOf(piece), ...(isDue ? {} : { runAt }) });
        }
      });
    },
  };

  const testJob: JobHandler = {
    timeoutMs: 120_000,
    async run({ tenantId, payload, signal }) {
      const scope = trustedTenantScope(tenantId);
      const { connector_id: connectorId } = payloadSchema.parse(payload);
      const wanted = await db.tenant(tenantId, async (tx) => {
        const row = await findConnector(tx, scope, connectorId);
        return row?.enabled === true;
      });
      if (wanted) await test(scope, { connectorId, by: 'schedule', signal });
    },
  };

  return {
    plan,
    open,
    settle,
    tellLeftOut,
    test,
    sweep,
    testJob,
    prune: () => db.system((tx) => pruneChecks(tx, CHECKS_KEPT)),
  };
}

/** Which sentence a message is, as it is kept beside it: null for words that are only there in English. */
function storedTold({ reason, values }: Told): string | null {
  return reason === undefined ? null : JSON.stringify({ reason, values });
}

/**
 * Throws where a call broke off because its worker stops, the job is somebody else's by now, or whoever asked has left: that says
 * nothing of the vendor, and whoever comes next begins anew. A call that took too long does.
 */
export function throwIfStopped({ aborted, reason }: AbortSignal): void {
  const tookTooLong = reason instanceof DOMException && reason.name === 'TimeoutError';
  if (aborted && !tookTooLong) throw reason;
}

/** Which connector a job of this module is for. */
export function connectorOf(payload: unknown): string {
  return payloadSchema.parse(payload).connector_id;
}

function jobOf(piece: { tenantId: string; connectorId: string; kind: WorkKind }): EnqueueJobInput {
  return {
    tenantId: piece.tenantId,
    kind: jobKindOf[piece.kind],
    payload: { connector_id: piece.connectorId },
    dedupKey: piece.connectorId,
    priority: PRIORITY,
    maxAttempts: 3,
  };
}

function isWanted(kind: WorkKind, row: ConnectorRow, definition: ConnectorDefinition): boolean {
  if (!row.enabled || row.state === 'paused') return false;
  if (kind === 'test') return true;
  return kind === 'events'
    ? row.events_enabled && definition.fetchEvents !== undefined
    : row.metrics_enabled && definition.fetchMetrics !== undefined;
}

async function testOpened(
  deps: Pick<WorkDependencies, 'db' | 'secrets' | 'tester'>,
  scope: TenantScope,
  found: { row: ConnectorRow; definition: ConnectorDefinition; rows: Awaited<ReturnType<typeof secretsOf>> },
  signal: AbortSignal,
): Promise<Tested> {
  const { row, definition, rows } = found;
  try {
    const opened = await deps.db.tenant(scope.tenantId, (tx) =>
      deps.secrets.open(tx, scope, { definition, id: row.id, plain: row.config, rows }),
    );
    const config = { ...row.config, ...opened };
    return await deps.tester({ scope, definition, config, secrets: Object.values(opened), signal });
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    const failed = { metadata: {}, duration_ms: 0, retryable: false, retryAfterS: undefined };
    return { status: 'error', code: error.code, message: error.message, ...failed };
  }
}

/** A minute in which nothing came is no history. */
function worthKeeping(tried: { kind: WorkKind }, { status, records }: Outcome): boolean {
  return tried.kind === 'test' || status !== 'success' || (records ?? 0) > 0;
}

function stateAfter(row: ConnectorRow, kind: WorkKind, { status, aboutVendor }: Outcome): ConnectorRow['state'] {
  if (!row.enabled || row.state === 'paused') return 'paused';
  // Metrics are beside the point: without them it does what it is for, and with them alone it does not.
  if (!aboutVendor || kind === 'metrics') return row.state;
  return status === 'error' ? 'error' : 'active';
}
