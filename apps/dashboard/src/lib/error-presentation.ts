import { ApiError, type ErrorCategory, type ErrorDetail } from '@airdeck/api-client/api-error';
import { clientFailures } from '@airdeck/api-client/client-failures';
import { known } from '../language/translate.ts';
import { failedQuery, loadFailures, loadFailureTitle } from './load-failures.ts';
import { isLostCode } from './lost-code.ts';

/** What a person is shown of a failure, whatever it was. */
export type PresentedError = {
  title: string;
  text: string;
  category: ErrorCategory;
  code: string;
  status: number | undefined;
  retryable: boolean;
  requestId: string | undefined;
  details: readonly ErrorDetail[];
};

/** Spec §2, root error page, when there is no status to show. */
export const UNEXPECTED_TEXT = 'An unexpected error occurred. Please try again in a few minutes.';

/** Translated where they are shown, as the page's language is not settled yet when this is read. */
export const failureTitles: Readonly<Record<ErrorCategory, string>> = {
  abort: 'Cancelled',
  timeout: 'The server took too long',
  network: 'No connection to the server',
  auth: 'Not allowed',
  client: 'This could not be done',
  server: 'Something went wrong on the server',
  unknown: 'Unexpected error',
};

/** Turns any failure into one shape. Decides by category and code, never by message text. */
export function presentError(error: unknown): PresentedError {
  if (isLostCode(error)) return { ...unexpected, ...lostCode() };
  if (!(error instanceof ApiError))
    return { ...unexpected, title: known(failureTitles.unknown), text: known(UNEXPECTED_TEXT) };
  const query = failedQuery(error);
  return {
    title: query === undefined ? known(failureTitles[error.category]) : loadFailureTitle(query),
    text: query === undefined ? known(error.message) : `${known(loadFailures[query].advice)} ${reasonOf(error)}`.trim(),
    category: error.category,
    code: error.code,
    status: error.status,
    retryable: error.retryable,
    requestId: error.requestId,
    details: error.details,
  };
}

const unexpected = {
  category: 'unknown',
  code: 'UNEXPECTED',
  status: undefined,
  retryable: false,
  requestId: undefined,
  details: [],
} as const;

function lostCode() {
  const category = 'network' as const;
  return { category, title: known(failureTitles[category]), text: known(clientFailures.UNREACHABLE) };
}

function reasonOf(error: ApiError): string {
  return error.message === '' ? '' : `(${known(error.message)})`;
}
