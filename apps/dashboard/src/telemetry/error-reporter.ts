/**
 * Which failures are reported, and how often (spec §8, §9): never an abort, a confirmation or a question who is there, the
 * same one at most once in five seconds, with at most 100 of them remembered.
 */
import { ApiError, asksToConfirm, type ErrorSeverity } from '@airdeck/api-client/api-error';
import { withoutPersonal } from '@airdeck/domain/without-personal';
import { IdentityError } from '../session/identity-provider.ts';

export const DEDUPLICATION_MS = 5000;
export const FINGERPRINTS_MAX = 100;

export type ErrorReport = {
  /** Equal for failures that are the same one: 16 hexadecimal digits. */
  readonly fingerprint: string;
  readonly level: ErrorSeverity;
  readonly name: string;
  /** Without addresses of people, ids, tokens, codes and queries. */
  readonly message: string;
  /** Of a failed call: method and path as in the route table. */
  readonly call: string | undefined;
  readonly status: number | undefined;
  /** Finds the call in the server's log. */
  readonly requestId: string | undefined;
  /** The error itself, for a sink that reads its stack. */
  readonly error: unknown;
};

/** What is told of a failure; undefined when it is none that is reported. */
export function reportOf(error: unknown): ErrorReport | undefined {
  if (error instanceof ApiError) {
    if (error.category === 'abort' || asksToConfirm(error)) return undefined;
    if (error.code === 'REAUTHENTICATION_REQUIRED') return undefined;
    const call = `${error.method} ${error.endpoint}`;
    const message = withoutPersonal(error.message);
    return {
      fingerprint: hashOf([call, error.status, error.code]),
      level: error.severity,
      name: error.code,
      message: message === '' ? error.code : message,
      call,
      status: error.status,
      requestId: error.requestId,
      error,
    };
  }
  if (error instanceof IdentityError && error.code === 'PROOF_REQUIRED') return undefined;
  // The browser's own way to call something off.
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  const isError = error instanceof Error;
  const name = isError ? error.name : 'Thrown';
  const message = withoutPersonal(isError ? error.message : String(error));
  const place = isError ? (error.stack ?? '').split('\n').find((line) => line.includes('/assets/')) : undefined;
  return {
    fingerprint: hashOf([name, message, place]),
    level: 'error',
    name,
    message: message === '' ? name : message,
    call: undefined,
    status: undefined,
    requestId: undefined,
    error,
  };
}

type Deps = { now: () => number; send: (report: ErrorReport) => void };

export function createErrorReporter({ now, send }: Deps): (error: unknown) => void {
  // Oldest first, as a map keeps its order.
  const sentAt = new Map<string, number>();
  return (error) => {
    const report = reportOf(error);
    if (report === undefined) return;
    const at = now();
    const before = sentAt.get(report.fingerprint);
    if (before !== undefined && at - before < DEDUPLICATION_MS) return;
    sentAt.delete(report.fingerprint);
    sentAt.set(report.fingerprint, at);
    for (const oldest of sentAt.keys()) {
      if (sentAt.size <= FINGERPRINTS_MAX) break;
      sentAt.delete(oldest);
    }
    send(report);
  };
}

/** Two 32-bit FNV-1a hashes; collisions only merge two rows of a list. */
function hashOf(parts: readonly unknown[]): string {
  const text = parts.join('\n');
  const hash = (seed: number) => {
    let state = seed;
    for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
    return (state >>> 0).toString(16).padStart(8, '0');
  };
  return hash(0x811c9dc5) + hash(0x9747b28c);
}
