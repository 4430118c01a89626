import { Client } from 'undici';
import { checkUrl, hostOf } from './egress-destination.ts';
import { type CertificateFacts, createDialer, type DialDeps } from './egress-dial.ts';
import { asEgressError } from './egress-failure.ts';

export type ProbeRequest = {
  readonly tenant: string;
  readonly url: string;
  readonly signal?: AbortSignal;
  /** Milliseconds; can only shorten the module's limit. */
  readonly timeoutMs?: number;
};

export type EgressProbe = {
  /** Null where the certificate was not trusted: then nothing was sent. */
  readonly status: number | null;
  /** From the start to the header of the answer, resolving and connecting included. */
  readonly latencyMs: number;
  /** Null without TLS. */
  readonly tls: CertificateFacts | null;
  /** Host (and port) a redirect points to. It is not followed. */
  readonly redirectsTo: string | null;
};

/**
 * Asks for the address and hangs up after the header: what the receiver says beyond that is neither read nor kept. The
 * destination passes the same checks as every request.
 *
 * @throws EgressError
 */
export async function probe(request: ProbeRequest, deps: DialDeps & { totalTimeoutMs: number }): Promise<EgressProbe> {
  const url = checkUrl(request.url);
  const timeoutMs = Math.min(request.timeoutMs ?? deps.totalTimeoutMs, deps.totalTimeoutMs);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
  const certificate: { seen: CertificateFacts | null } = { seen: null };
  const dial = createDialer(request.tenant, undefined, deps, (facts) => {
    certificate.seen = facts;
  });
  const client = new Client(url.origin, { connect: dial });
  const startedAt = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await client.request({
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { 'user-agent': 'AIRdeck' },
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    answer.body.on('error', () => undefined);
    answer.body.destroy();
    const { statusCode: status, headers } = answer;
    const redirectsTo = status >= 300 && status < 400 ? hostOfLocation(headers.location, url) : null;
    return { status, latencyMs: latencyMs(), tls: certificate.seen, redirectsTo };
  } catch (error) {
    const { seen } = certificate;
    if (seen !== null && seen.problem !== null) {
      return { status: null, latencyMs: latencyMs(), tls: seen, redirectsTo: null };
    }
    const aborted = request.signal?.aborted === true;
    throw asEgressError(error, { host: hostOf(url), timeoutMs, timedOut: timeout.aborted, aborted });
  } finally {
    await client.destroy();
  }
}

function hostOfLocation(location: string | string[] | undefined, base: URL): string | null {
  const [target] = Array.isArray(location) ? location : [location];
  if (target === undefined) return null;
  return URL.canParse(target, base.href) ? new URL(target, base.href).host : 'an unreadable address';
}
