import type { ErrorReport } from './error-reporter.ts';

/** Where page views go. */
export interface AnalyticsSink {
  view(route: string): void;
  /** The person's id, never a name; undefined when nobody is signed in. */
  person(id: string | undefined): void;
}

/** Where failures go; `route` is the pattern of the screen they happened on. */
export interface ErrorSink {
  failure(report: ErrorReport, route: string): void;
  person(id: string | undefined): void;
}
