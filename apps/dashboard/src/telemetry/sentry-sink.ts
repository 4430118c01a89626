import type { ErrorSeverity } from '@airdeck/api-client/api-error';
import type { Exception, SeverityLevel } from '@sentry/browser';
import type { ErrorSink } from './telemetry-sink.ts';

const levels: Readonly<Record<ErrorSeverity, SeverityLevel>> = {
  info: 'info',
  low: 'info',
  warning: 'warning',
  error: 'error',
};

type Options = { dsn: string; release: string; stage: string };

/** Sentry, told only what the reporter decided to report: no crumbs, no request, no addresses. */
export async function createSentrySink({ dsn, release, stage }: Options): Promise<ErrorSink> {
  const { captureEvent, defaultStackParser, exceptionFromError, init, makeFetchTransport, setUser } = await import(
    '@sentry/browser'
  );
  init({
    dsn,
    release: `dashboard@${release}`,
    environment: stage,
    defaultIntegrations: false,
    sendClientReports: false,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
  });
  return {
    failure(report, route) {
      const known = { type: report.name, value: report.message };
      const exception: Exception =
        report.error instanceof Error ? exceptionFromError(defaultStackParser, report.error) : known;
      // Where this installation lives is nobody's business; source maps are found by the path.
      for (const frame of exception.stacktrace?.frames ?? []) {
        if (frame.filename !== undefined) frame.filename = frame.filename.replace(/^https?:\/\/[^/]+/, 'app://');
      }
      captureEvent({
        level: levels[report.level],
        fingerprint: [report.fingerprint],
        exception: { values: [{ ...exception, ...known }] },
        transaction: route,
        tags: { route, call: report.call, status: report.status, request_id: report.requestId },
      });
    },
    person: (id) => setUser(id === undefined ? null : { id }),
  };
}
