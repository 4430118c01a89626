/** What is said of failures the server did not tell of itself, by their code. English; looked up where it is shown. */
export const clientFailures = {
  ABORTED: 'The request was cancelled.',
  TIMED_OUT: 'No answer came in time.',
  UNREACHABLE: 'The server cannot be reached.',
  BROKEN_OFF: 'The download broke off. Nothing was saved; try again.',
  UNEXPECTED_ANSWER: 'The answer could not be read.',
  UNEXPECTED: 'Something unexpected happened.',
} as const;
