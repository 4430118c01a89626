import type { Egress } from './egress.ts';

/**
 * An egress that awaits `markCallStarted` before any request that could change something, so that no connector can forget
 * it. Reading requests pass untouched; when the mark is refused, nothing is sent and the refusal is thrown.
 */
export function withCallMark(egress: Egress, markCallStarted: () => Promise<void>): Egress {
  return {
    async request(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') await markCallStarted();
      return egress.request(request);
    },
  };
}
