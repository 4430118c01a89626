import { errors as undiciErrors } from 'undici';
import { EgressError } from './egress-error.ts';

type Failure = { host: string; timeoutMs: number; timedOut: boolean; aborted: boolean };

/** What went wrong, named by host and reason. */
export function asEgressError(error: unknown, { host, timeoutMs, timedOut, aborted }: Failure): EgressError {
  if (error instanceof EgressError) return error;
  const options = { cause: error };
  if (aborted) return new EgressError('ABORTED', `The call to ${host} was cancelled.`, options);
  if (timedOut) return new EgressError('TIMEOUT', `${host} did not answer within ${timeoutMs / 1000} s.`, options);
  if (error instanceof undiciErrors.InvalidArgumentError) {
    return new EgressError('EGRESS_DENIED', `The request to ${host} is not valid HTTP.`, options);
  }
  if (error instanceof undiciErrors.ConnectTimeoutError) {
    return new EgressError('TIMEOUT', `${host} did not accept a connection in time.`, options);
  }
  if (error instanceof undiciErrors.HeadersTimeoutError || error instanceof undiciErrors.BodyTimeoutError) {
    return new EgressError('TIMEOUT', `${host} did not answer in time.`, options);
  }
  const code = codeOf(error);
  if (isTlsCode(code))
    return new EgressError('TLS_FAILED', `The certificate of ${host} is not trusted (${code}).`, options);
  return new EgressError('CONNECT_FAILED', `No answer from ${host}${code === '' ? '' : ` (${code})`}.`, options);
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
