/** Jobs that fetch a connector's events and metrics. How nothing is lost or doubled stands in event-cursors.ts. */
import { createHash } from 'node:crypto';
import { accountOf, secretDestination } from '@airdeck/connector-kit/connector-config';
import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { createRedactor } from '@airdeck/connector-kit/redaction';
import { SecretError } from '@airdeck/connector-kit/secrets';
import { toVendorFailure, VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { storableJson } from '@airdeck/domain/storable-json';
import { JobPostponed } from '@airdeck/engine/errors';
import type { JobHandler } from '@airdeck/engine/interfaces';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { createTenantSlots } from '../../tenant-slots.ts';
import { redactedValue } from '../actions/redacted-value.ts';
import type { Delivery } from '../ingestion/ingestion-service.ts';
import type { ConnectorSources } from '../sources/connector-sources.ts';
import { toldOfFailure } from './connection-tester.ts';
import { type ConnectorWorkService, connectorOf, type Opened, type Outcome, throwIfStopped } from './connector-work.ts';
import type { WorkKind } from './connectors-tables.ts';
import {
  type CursorKey,
  CursorMoved,
  type CursorState,
  claimPlace,
  cursorKey,
  keepPage,
  keptWithOtherOptions,
  moveCursor,
  packPage,
  readCursor,
} from './event-cursors.ts';

/** A vendor that was away for a day is caught up with in jobs of this size, so that others get their turn between them. */
const PAGES_PER_JOB = 20;
const JOB_BUDGET_MS = 60_000;
const JOB_TIMEOUT_MS = 180_000;
/** A page may have 10 MB and several times that in memory. One tenant's slow vendors leave some of them to the others. */
const pollsAtOnce = { inAll: 12, perTenant: 8 };
/**
 * Whoever waits for a poll holds a slot of the worker, where steps are done: each tenant has one that keeps its place in the
 * round, the others come back.
 */
const POLLS_WAITING = 1;
const BACK_AFTER_MS = { least: 2_000, most: 6_000 };
/** As late as the source whose events come latest, which is CloudTrail. */
const CAME_LATE_MS = 15 * 60_000;
const METRICS_MAX_CHARS = 65_536;

type Dependencies = {
  db: Pick<Database, 'tenant'>;
  work: Pick<ConnectorWorkService, 'open' | 'settle' | 'tellLeftOut'>;
  sources: ConnectorSources;
  ingest: (delivery: Delivery) => Promise<{ accepted: number }>;
  egress: Egress;
  ids: () => string;
  now: () => Date;
  /** From 0 up to 1. */
  random: () => number;
};

export function createPolling(deps: Dependencies): { eventsJob: JobHandler; metricsJob: JobHandler } {
  const { least, most } = BACK_AFTER_MS;
  const slots = createTenantSlots(pollsAtOnce, {
    waitingPerTenant: POLLS_WAITING,
    refusal: () => new JobPostponed(least + deps.random() * (most - least)),
  });
  return {
    eventsJob: {
      timeoutMs: JOB_TIMEOUT_MS,
      run: ({ tenantId, payload, signal }) =>
        slots.run(tenantId, signal, () =>
          attempt(deps, { tenantId, connectorId: connectorOf(payload), kind: 'events', signal }, fetchEvents),
        ),
    },
    metricsJob: {
      timeoutMs: JOB_TIMEOUT_MS,
      run: ({ tenantId, payload, signal }) =>
        slots.run(tenantId, signal, () =>
          attempt(deps, { tenantId, connectorId: connectorOf(payload), kind: 'metrics', signal }, fetchMetrics),
        ),
    },
  };
}

type Piece = { tenantId: string; connectorId: string; kind: WorkKind; signal: AbortSignal };
type Done = Pick<Outcome, 'message' | 'reason' | 'values' | 'records'> &
  Pick<Partial<Outcome>, 'hasMore' | 'change'> & { failure?: FetchPage['failure'] };
type Fetch = (deps: Dependencies, scope: TenantScope, opened: Opened, counted: Counted) => Promise<Done>;
/** Survives a failure in the middle: what was ingested before it stays ingested. */
type Counted = { records: number; signal: AbortSignal };

async function attempt(deps: Dependencies, piece: Piece, fetch: Fetch): Promise<void> {
  const { connectorId, kind, signal } = piece;
  const scope = trustedTenantScope(piece.tenantId);
  const began = performance.now();
  const counted: Counted = { records: 0, signal };
  let opened: Opened | undefined;
  let outcome: Outcome;
  try {
    opened = await deps.work.open(scope, connectorId, kind);
    if (opened === undefined) return;
    const { failure, ...done } = await fetch(deps, scope, opened, counted);
    const result = failure === undefined ? ok : { ...failed(failure, opened), inPart: true };
    outcome = { ...done, ...result, durationMs: Math.round(performance.now() - began) };
  } catch (error) {
    // Whoever moved it is at work on this connector.
    if (error instanceof CursorMoved) return;
    throwIfStopped(signal);
    outcome = {
      ...failed(error, opened),
      records: kind === 'events' ? counted.records : null,
      durationMs: Math.round(performance.now() - began),
    };
  }
  await deps.work.settle(scope, { connectorId, updatedAt: opened?.row.updated_at, kind, by: 'schedule' }, outcome);
}

const ok = { status: 'success', code: null, retryable: false, retryAfterS: undefined, aboutVendor: true } as const;

function failed(error: unknown, opened: Opened | undefined): Omit<Outcome, 'records' | 'durationMs'> {
  if (error instanceof SecretError) {
    const { code, message } = error;
    return { status: 'error', code, message, retryable: false, retryAfterS: undefined, aboutVendor: true };
  }
  if (error instanceof AppError) {
    const told = refusal('CONNECTOR_EVENTS_NOT_STORED');
    const retryAfterS = error.retryAfterS;
    return { status: 'error', code: error.code, ...told, retryable: true, retryAfterS, aboutVendor: false };
  }
  // Without an opened connector it is our own store that failed, which the engine tries again.
  if (opened === undefined) throw error;
  const failure = toVendorFailure(error, createRedactor(opened.secrets));
  const { code, message, retryable, retry_after_s: retryAfterS } = failure;
  // What nobody expected may be over the next time.
  const isKnown = code !== 'CONNECTOR_FAILED';
  const told = toldOfFailure(error, message);
  return { status: 'error', code, ...told, retryable: retryable || !isKnown, retryAfterS, aboutVendor: true };
}

async function fetchEvents(deps: Dependencies, scope: TenantScope, opened: Opened, counted: Counted): Promise<Done> {
  const { row, definition } = opened;
  const began = performance.now();
  const wanted = cursorKey(row.id, row.events_options, {
    destination: secretDestination(definition.config_schema, row.config),
    account: accountOf(definition.config_schema, row.config),
  });
  const key = await deps.db.tenant(scope.tenantId, (tx) => claimPlace(tx, scope, wanted, deps.now()));
  counted.records += await ingestLeftOver(deps, scope, opened, key);
  let state = await deps.db.tenant(scope.tenantId, (tx) => readCursor(tx, scope, key, deps.now()));
  let hasMore = true;
  let failure: FetchPage['failure'];
  for (let pages = 0; hasMore && pages < PAGES_PER_JOB; pages++) {
    if (counted.signal.aborted || performance.now() - began > JOB_BUDGET_MS) break;
    if (pages > 0 && !(await stillWanted(deps, scope, opened))) break;
    const resumed = state.pending !== null;
    const askedAt = deps.now();
    const held: Held = state.pending ?? (await takePage(deps, scope, { opened, key, state, signal: counted.signal }));
    if (held.kept === true) state = { ...state, revision: state.revision + 1 };
    const { page } = held;
    failure ??= page.failure;
    if (page.records.length > 0) counted.records += await ingestPage(deps, scope, opened, held);
    // What an earlier attempt left says nothing about what there is now.
    const readTo = resumed ? undefined : readToEndAt(page, askedAt);
    const caughtUpAt = readTo && settledAt(readTo, row.events_options);
    const moved = { cursor: page.cursor, revision: state.revision, at: deps.now(), caughtUpAt };
    await goOn(deps, scope, opened, { key, moved, page });
    state = { revision: state.revision + 1, cursor: page.cursor, pending: null, caughtUpAt: null };
    hasMore = page.hasMore || resumed;
  }
  const count = counted.records;
  return {
    ...(count === 1 ? refusal('CONNECTOR_FETCHED_ONE') : refusal('CONNECTOR_FETCHED', { count })),
    records: count,
    hasMore,
    ...(failure === undefined ? {} : { failure }),
  };
}

/** What was fetched with the options of before and not ingested then: nobody asks the vendor for it again. */
async function ingestLeftOver(
  deps: Dependencies,
  scope: TenantScope,
  opened: Opened,
  current: CursorKey,
): Promise<number> {
  let records = 0;
  const left = await deps.db.tenant(scope.tenantId, (tx) => keptWithOtherOptions(tx, scope, current));
  for (const { key, revision, pending } of left) {
    records += await ingestPage(deps, scope, opened, pending);
    const moved = { cursor: pending.page.cursor, revision, at: deps.now() };
    await goOn(deps, scope, opened, { key, moved, page: pending.page });
  }
  return records;
}

/** What was left out of a page is told with the step behind it: whatever ends the job then, nobody asks for it again. */
async function goOn(
  { db, work }: Dependencies,
  scope: TenantScope,
  { row, definition }: Opened,
  step: { key: Parameters<typeof moveCursor>[2]; moved: Parameters<typeof moveCursor>[3]; page: FetchPage },
): Promise<void> {
  const count = step.page.leftOut ?? 0;
  await db.tenant(scope.tenantId, async (tx) => {
    await moveCursor(tx, scope, step.key, step.moved);
    if (count > 0) await work.tellLeftOut(tx, scope, { connectorId: row.id, name: definition.name, count });
  });
}

type Held = { batchId: string; page: FetchPage; kept?: boolean };

/** Asks the vendor for what follows the cursor and keeps it before anything is done with it. */
async function takePage(
  deps: Dependencies,
  scope: TenantScope,
  { opened, key, state, signal }: { opened: Opened; key: CursorKey; state: CursorState; signal: AbortSignal },
): Promise<Held> {
  const { definition, row } = opened;
  if (!definition.fetchEvents) throw new Error(`${definition.definition_id} does not fetch events.`);
  const page = await definition.fetchEvents(
    contextOf(deps, scope, opened, {
      options: notBefore(deps, row.events_options, state),
      cursor: state.cursor,
      signal,
    }),
  );
  refuseEndless(definition.name, page, state.cursor);
  const held = { batchId: deps.ids(), page };
  if (page.records.length === 0) return { ...held, kept: false };
  const packed = await packPage(page);
  const kept = { revision: state.revision, at: deps.now(), batchId: held.batchId, packed };
  await deps.db.tenant(scope.tenantId, (tx) => keepPage(tx, scope, key, kept));
  return { ...held, kept: true };
}

/** Of another selection nothing is fetched of which all was fetched before; what came late to it may come twice. */
function notBefore({ now }: Pick<Dependencies, 'now'>, options: JsonObject, { caughtUpAt }: CursorState): JsonObject {
  if (caughtUpAt === null) return options;
  const hours = (now().getTime() - caughtUpAt.getTime() + CAME_LATE_MS) / 3_600_000;
  const wanted = options.lookback_hours;
  return { ...options, lookback_hours: typeof wanted === 'number' ? Math.min(wanted, hours) : hours };
}

/** As of when nothing was left to fetch; undefined where something was, or may have been behind a failure. */
function readToEndAt({ hasMore, failure, completeAt }: FetchPage, askedAt: Date): Date | undefined {
  if (hasMore || failure !== undefined || completeAt === null) return undefined;
  return completeAt === undefined ? askedAt : new Date(completeAt);
}

/** What some sources leave for later is not fetched yet. */
function settledAt(readTo: Date, { settle_s: settleS }: JsonObject): Date {
  return new Date(readTo.getTime() - (typeof settleS === 'number' ? settleS * 1000 : 0));
}

function refuseEndless(name: string, page: FetchPage, before: JsonObject | null): void {
  if (page.records.length > serverLimits.ingestRecordsMax) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${name} sent more events at once than can be taken.`);
  }
  if (page.hasMore && JSON.stringify(page.cursor) === JSON.stringify(before)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${name} says there is more but stays at the same place.`);
  }
}

async function ingestPage(deps: Dependencies, scope: TenantScope, { row }: Opened, held: Held): Promise<number> {
  const { records } = held.page;
  const source = await deps.sources.of(scope, { id: row.id, name: row.name });
  const type = row.events_options.event_type;
  const { accepted } = await deps.ingest({
    source,
    batchId: held.batchId,
    neverRecurs: true,
    // The page is kept with the id, so the id alone says that it is the same.
    bodyHash: createHash('sha256').update(held.batchId).digest(),
    arrival: {
      kind: 'records',
      records,
      definitionId: row.definition_id,
      eventType: typeof type === 'string' ? type : undefined,
    },
  });
  return accepted;
}

/** Paused, changed or removed while its pages were fetched: what is left waits. */
async function stillWanted({ work }: Dependencies, scope: TenantScope, { row }: Opened): Promise<boolean> {
  const now = await work.open(scope, row.id, 'events');
  return now !== undefined && now.row.updated_at.getTime() === row.updated_at.getTime();
}

async function fetchMetrics(deps: Dependencies, scope: TenantScope, opened: Opened, counted: Counted): Promise<Done> {
  const { definition, row } = opened;
  if (!definition.fetchMetrics) throw new Error(`${definition.definition_id} does not fetch metrics.`);
  const context = contextOf(deps, scope, opened, {
    options: row.metrics_options,
    cursor: null,
    signal: counted.signal,
  });
  const values = redactedValue(await definition.fetchMetrics(context), createRedactor(opened.secrets));
  const text = storableJson(values);
  if (text.length > METRICS_MAX_CHARS) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${definition.name} sent more metrics than can be kept.`);
  }
  return {
    ...refusal('CONNECTOR_FETCHED_METRICS'),
    records: null,
    change: { metrics_at: deps.now(), metrics_values: text },
  };
}

function contextOf(
  deps: Pick<Dependencies, 'egress' | 'now'>,
  scope: TenantScope,
  { config }: Opened,
  more: Pick<FetchContext, 'options' | 'cursor' | 'signal'>,
): FetchContext {
  return { tenant: scope.tenantId, config, egress: deps.egress, now: deps.now, ...more };
}
