/** What an attempt of an action tells about the system it calls: whether that answers, not whether it does what it is asked. */
import type { Egress } from '@airdeck/connector-kit/egress';
import { EgressError, type EgressErrorCode } from '@airdeck/connector-kit/egress-error';
import { VendorError, type VendorErrorCode } from '@airdeck/connector-kit/vendor-error';
import type { CallResult } from './circuit-breaker.ts';

/** Every other code is of a system that answered, or of a call that was never sent. */
const notAnswering: ReadonlySet<VendorErrorCode | EgressErrorCode> = new Set([
  'VENDOR_UNAVAILABLE',
  'DNS_FAILED',
  'CONNECT_FAILED',
  'TLS_FAILED',
  'TIMEOUT',
] as const);

/** An egress that knows whether any of its calls was answered, whatever was answered. */
export function withAnswers(egress: Egress): { egress: Egress; wasAnswered: () => boolean } {
  let answered = false;
  async function noted<T>(call: Promise<T>): Promise<T> {
    const answer = await call;
    answered = true;
    return answer;
  }
  const openSocket = egress.openSocket?.bind(egress);
  return {
    egress: {
      request: (request) => noted(egress.request(request)),
      ...(openSocket === undefined ? {} : { openSocket: (request) => noted(openSocket(request)) }),
    },
    wasAnswered: () => answered,
  };
}

export function resultOfFailure(
  error: unknown,
  { wasAnswered, signal }: { wasAnswered: boolean; signal: AbortSignal },
): CallResult {
  if (error instanceof VendorError || error instanceof EgressError) {
    if (notAnswering.has(error.code)) return 'failed';
    // Its time was over in the middle of a call, unless it was only stopped. One that was answered before is slow, not away.
    if (error.code === 'ABORTED' && !wasAnswered && isTimeOver(signal)) return 'failed';
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
