import { ApiError } from '@airdeck/api-client/api-error';

/**
 * For errors React drew around by drawing once more. A call that failed may be thrown in the first of both drawings only;
 * its screen has told it, and told twice it would look like a mistake of ours. Anything else is one.
 */
export function tellRecovered(error: unknown, report: (error: unknown) => void = reportError): void {
  if (error instanceof Error && error.cause instanceof ApiError) return;
  report(error);
}
