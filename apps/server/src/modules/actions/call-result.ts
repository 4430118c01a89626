/** What an attempt of an action tells about the system it calls: whether that answers, not whether it does what it is asked. */
import type { Egress } from '@airdeck/connector-kit/egress';
import { EgressError, type EgressErrorCode } from '@airdeck/connector-kit/egress-error';
import { VendorError, type VendorErrorCode } from '@airdeck/connector-kit/vendor-error';
import type { CallResult } from './circuit-breaker.ts';

/** Every other code is of a system that answered, or of a call that was never sent. */
const notAnswering: ReadonlySet<VendorErrorCode | EgressErrorCode> = new Set([
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TLS_FAILED',
  'TIMEOUT',
] as const);

/** An author may give an attempt less time than a system that works needs; this much is ours to call it silence. */
const SILENT_FROM_MS = 10_000;

/**
 * An egress that knows whether the last of its calls was answered, with anything but a failure of the system's own.
 * `onAnswer` is called at each such answer.
 */
export function withAnswers(egress: Egress, onAnswer: () => void): { egress: Egress; wasAnswered: () => boolean } {
  let answered = false;
  async function noted<T>(call: Promise<T>, isAnswer: (answer: T) => boolean): Promise<T> {
    const answer = await call;
    answered = isAnswer(answer);
    if (answered) onAnswer();
    return answer;
  }
  const openSocket = egress.openSocket?.bind(egress);
  return {
    egress: {
      request: (request) => noted(egress.request(request), ({ status }) => status < 500),
      ...(openSocket === undefined ? {} : { openSocket: (request) => noted(openSocket(request), () => true) }),
    },
    wasAnswered: () => answered,
  };
}

export type Attempt = { readonly wasAnswered: boolean; readonly tookMs: number; readonly signal: AbortSignal };

export function resultOfFailure(error: unknown, { wasAnswered, tookMs, signal }: Attempt): CallResult {
  if (error instanceof VendorError || error instanceof EgressError) {
    // Some say so of what they were asked about, and not of themselves.
    if (error.code === 'VENDOR_UNAVAILABLE') return wasAnswered ? 'answered' : 'failed';
    if (notAnswering.has(error.code)) return 'failed';
    // Its time was over in the middle of a call, unless it was only stopped. One that was answered before is slow, not away.
    if (error.code === 'ABORTED' && !wasAnswered && isTimeOver(signal) && tookMs >= SILENT_FROM_MS) return 'failed';
  }
  return resultOfAnswers(wasAnswered);
}

/** Of an attempt that called nothing, as its input did not fit, nothing is known. */
export function resultOfAnswers(wasAnswered: boolean): CallResult {
  return wasAnswered ? 'answered' : 'unknown';
}

function isTimeOver({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}
