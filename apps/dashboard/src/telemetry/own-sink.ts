/**
 * This server as the place for page views and failures, which is the default: nothing leaves the installation. Told in small
 * batches; what cannot be told is dropped, because telemetry must never be what fails. What happens before somebody is signed in
 * is kept until then, as much as one call takes.
 */
import { telemetryLimits } from '@airdeck/contracts/telemetry/limits';
import type { ReportedError, TelemetryInput } from '@airdeck/contracts/telemetry/schema';
import type { ErrorReport } from './error-reporter.ts';
import type { AnalyticsSink, ErrorSink } from './telemetry-sink.ts';

const FLUSH_MS = 10_000;

/** What is told of one tenant. `leaving`: the page goes away, so that the call must outlive it. */
export type Telling = { readonly tenant: string; readonly body: TelemetryInput; readonly leaving: boolean };

type Deps = {
  send: (telling: Telling) => Promise<unknown>;
  /** The tenant of now; undefined while nobody is signed in. */
  tenant: () => string | undefined;
  release: string;
  /** Calls after so many milliseconds, once. */
  later: (run: () => void, ms: number) => void;
};

export type OwnSink = AnalyticsSink & ErrorSink & { flush(options?: { leaving: boolean }): void };

/** Of one tenant; of none yet while nobody is signed in, and then of the first one there is. */
type Batch = { tenant: string | undefined; readonly views: string[]; readonly errors: ReportedError[] };

const emptyOf = (tenant: string | undefined): Batch => ({ tenant, views: [], errors: [] });

export function createOwnSink({ send, tenant, release, later }: Deps): OwnSink {
  let batch = emptyOf(undefined);
  let isWaiting = false;
  let known: string | undefined;

  function flush({ leaving = false } = {}): void {
    const { views, errors } = batch;
    if (views.length + errors.length === 0) return;
    const now = tenant();
    if (now === undefined) {
      // Nobody may tell it now; it stays.
      flushLater();
      return;
    }
    const told = batch.tenant ?? now;
    batch = emptyOf(now);
    send({ tenant: told, body: { views, errors }, leaving }).catch(() => undefined);
  }

  function flushLater(): void {
    if (isWaiting) return;
    isWaiting = true;
    later(() => {
      isWaiting = false;
      flush();
    }, FLUSH_MS);
  }

  /** Adds to the batch of the tenant of now, which goes at once when it is full. */
  function add<T>(entriesOf: (batch: Batch) => T[], limit: number, entry: T): void {
    const now = tenant();
    if (batch.tenant !== undefined && now !== batch.tenant) flush();
    batch.tenant ??= now;
    const entries = entriesOf(batch);
    if (entries.length < limit) entries.push(entry);
    if (entries.length === limit) flush();
    else flushLater();
  }

  return {
    view: (route) => add(({ views }) => views, telemetryLimits.viewsPerCall, route),
    failure: (report, route) =>
      add(({ errors }) => errors, telemetryLimits.errorsPerCall, onTheWire(report, { route, release })),
    // The server knows who calls, so what another person did can no longer be told.
    person: (id) => {
      if (known !== undefined && id !== known) batch = emptyOf(undefined);
      known = id;
    },
    flush,
  };
}

function onTheWire(report: ErrorReport, { route, release }: { route: string; release: string }): ReportedError {
  return {
    fingerprint: report.fingerprint,
    level: report.level,
    message: report.message,
    route,
    call: report.call ?? null,
    status: report.status ?? null,
    request_id: report.requestId ?? null,
    release,
  };
}
