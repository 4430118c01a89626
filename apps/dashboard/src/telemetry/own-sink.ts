/**
 * This server as the place for page views and failures, which is the default: nothing leaves the installation. Told in small
 * batches; what cannot be told is dropped, because telemetry must never be what fails.
 */
import { telemetryLimits } from '@airdeck/contracts/telemetry/limits';
import type { ReportedError, TelemetryInput } from '@airdeck/contracts/telemetry/schema';
import type { ErrorReport } from './error-reporter.ts';
import type { AnalyticsSink, ErrorSink } from './telemetry-sink.ts';

const FLUSH_MS = 10_000;

type Deps = {
  /** Sends for the tenant of now; rejects when nobody is signed in. */
  send: (input: TelemetryInput) => Promise<unknown>;
  release: string;
  /** Calls after so many milliseconds, once. */
  later: (run: () => void, ms: number) => void;
};

export type OwnSink = AnalyticsSink & ErrorSink & { flush(): void };

export function createOwnSink({ send, release, later }: Deps): OwnSink {
  let views: string[] = [];
  let errors: ReportedError[] = [];
  let isWaiting = false;

  function flush(): void {
    const batch = { views, errors };
    if (views.length + errors.length === 0) return;
    [views, errors] = [[], []];
    send(batch).catch(() => undefined);
  }

  function flushLater(): void {
    if (isWaiting) return;
    isWaiting = true;
    later(() => {
      isWaiting = false;
      flush();
    }, FLUSH_MS);
  }

  return {
    view(route) {
      if (views.length < telemetryLimits.viewsPerCall) views.push(route);
      flushLater();
    },
    failure(report, route) {
      if (errors.length < telemetryLimits.errorsPerCall) errors.push(onTheWire(report, { route, release }));
      flushLater();
    },
    // The server knows who calls.
    person: () => undefined,
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
