/** Two things the pool of connections does not do for a request that waits or cannot be sent. */

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { Dispatcher } from 'undici';
import { EgressError } from './egress-error.ts';

/**
 * Throws EGRESS_DENIED for headers that no request can carry, quoting none of them. The pool would refuse such a request
 * too, but takes the connection for busy from then on: after as many as it has, every other request waits for ever.
 */
export function requireSendable(headers: Readonly<Record<string, string>>, host: string): void {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
  } catch {
    // Without the cause: it may name what was to be sent.
    throw new EgressError('EGRESS_DENIED', refusal('EGRESS_NOT_HTTP', { host }));
  }
}

/**
 * The answer, or the signal's reason as soon as it is aborted. The pool leaves a request that waits for a free connection
 * waiting for it then; its answer, should one come, is dropped.
 */
export async function unlessAborted(
  asked: Promise<Dispatcher.ResponseData>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => {
      asked.then(
        ({ body }) => body.destroy(),
        () => undefined,
      );
      reject(signal.reason as unknown);
    };
  });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([asked, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
