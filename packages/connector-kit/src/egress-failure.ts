import { refusal } from '@airdeck/contracts/refusal-texts';
import { errors as undiciErrors } from 'undici';
import { EgressError } from './egress-error.ts';

type Failure = { host: string; timeoutMs: number; timedOut: boolean; aborted: boolean };

/** What went wrong, named by host and reason. */
export function asEgressError(error: unknown, { host, timeoutMs, timedOut, aborted }: Failure): EgressError {
  if (error instanceof EgressError) return error;
  const options = { cause: error };
  if (aborted) return new EgressError('ABORTED', refusal('EGRESS_CANCELLED', { host }), options);
  if (timedOut)
    return new EgressError('TIMEOUT', refusal('EGRESS_NO_ANSWER_IN', { host, seconds: timeoutMs / 1000 }), options);
  if (error instanceof undiciErrors.InvalidArgumentError) {
    return new EgressError('EGRESS_DENIED', refusal('EGRESS_NOT_HTTP', { host }), options);
  }
  if (error instanceof undiciErrors.ConnectTimeoutError) {
    return new EgressError('TIMEOUT', refusal('EGRESS_NOT_ACCEPTED', { host }), { ...options, outcomeUnknown: false });
  }
  if (error instanceof undiciErrors.HeadersTimeoutError || error instanceof undiciErrors.BodyTimeoutError) {
    return new EgressError('TIMEOUT', refusal('EGRESS_NO_ANSWER_IN_TIME', { host }), options);
  }
  const code = codeOf(error);
  if (isTlsCode(code))
    return new EgressError('TLS_FAILED', refusal('EGRESS_CERTIFICATE', { host, problem: code }), options);
  const none = code === '' ? refusal('EGRESS_NO_ANSWER', { host }) : refusal('EGRESS_NO_ANSWER_CODE', { host, code });
  return new EgressError('CONNECT_FAILED', none, { ...options, outcomeUnknown: !isFromDialling(error) });
}

/** Nothing was sent where there was no connection to send it over. */
function isFromDialling(error: unknown): boolean {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.every((each) => (each as { syscall?: unknown } | null)?.syscall === 'connect');
}

function codeOf(error: unknown): string {
  const own = (error as { code?: unknown } | null)?.code;
  if (typeof own === 'string' && own !== '') return own;
  const inner = error instanceof AggregateError ? (error.errors[0] as { code?: unknown } | undefined)?.code : undefined;
  return typeof inner === 'string' ? inner : '';
}

/** Codes of OpenSSL and of Node's own checks of a certificate. */
function isTlsCode(code: string): boolean {
  return /^(?:ERR_TLS|ERR_SSL|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH|CRL_|ERROR_IN_)/.test(
    code,
  );
}
