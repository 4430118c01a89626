import type { Egress, EgressRequest } from './egress.ts';

/**
 * An egress that awaits `markCallStarted` before any request that could change something, so that no connector can forget
 * it. Reading requests pass untouched; when the mark is refused, nothing is sent and the refusal is thrown.
 */
export function withCallMark(egress: Egress, markCallStarted: () => Promise<void>): Egress {
  const openSocket = egress.openSocket?.bind(egress);
  return {
    async request(request) {
      if (!isReading(request)) await markCallStarted();
      return egress.request(request);
    },
    // What goes over a socket is not seen from here: every one of them counts as a change.
    ...(openSocket === undefined
      ? {}
      : {
          async openSocket(request) {
            await markCallStarted();
            return openSocket(request);
          },
        }),
  };
}

function isReading({ method, reads }: EgressRequest): boolean {
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && reads === true);
}
