import type { EgressRequest, EgressResponse, GuardedEgress } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { idSchema } from '@airdeck/contracts/fields';
import { inSpan, type Tracer } from './tracer.ts';

/**
 * A span for each call to a vendor that is part of something followed. It names the host and nothing else of the address:
 * paths and queries carry keys of webhooks, names of people and what is searched for. The vendor is told nothing of it.
 */
export function traceEgress(egress: GuardedEgress, tracer: Tracer): GuardedEgress {
  if (!tracer.isOn) return egress;
  return {
    ...egress,
    request: (request) =>
      tracer.current() === undefined ? egress.request(request) : followed(egress, request, tracer),
  };
}

function followed(egress: GuardedEgress, request: EgressRequest, tracer: Tracer): Promise<EgressResponse> {
  const { tenant, method, url } = request;
  const to = URL.canParse(url) ? new URL(url) : undefined;
  const attributes = {
    'http.request.method': method,
    'server.address': to?.hostname,
    'server.port': to && portOf(to),
    // What is called in no tenant's name may be called in a person's, and traces tell of no people.
    'airdeck.tenant_id': idSchema.safeParse(tenant).success ? tenant : undefined,
  };
  return inSpan(tracer, { name: method, kind: 'client', attributes }, async (span) => {
    try {
      const answer = await egress.request(request);
      span.note({ 'http.response.status_code': answer.status });
      if (answer.status >= 400) span.fail();
      return answer;
    } catch (error) {
      span.note({ 'error.type': error instanceof EgressError ? error.code : 'unknown' });
      throw error;
    }
  });
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
