import { isIP } from 'node:net';
import type { FastifyReply } from 'fastify';
import { reputationOf } from '../reputation.ts';
import type { VendorApi } from './vendor-api.ts';

/** AbuseIPDB v2 `check`: answers and errors as docs.abuseipdb.com publishes them. */
export const createAbuseipdbApi = (): VendorApi => ({
  id: 'abuseipdb',
  failures: {
    unauthorized: errorAnswer(401, 'Authentication failed. Your API key is either missing, incorrect, or revoked.'),
    forbidden: errorAnswer(403, 'Your plan does not include this endpoint.'),
    rate_limited: {
      ...errorAnswer(
        429,
        'Daily rate limit of 1000 requests exceeded for this endpoint. See headers for additional details.',
      ),
      headers: { 'retry-after': '29241', 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '0' },
    },
    error_in_200: { status: 200, body: { errors: [{ detail: 'The service is degraded.', status: 500 }] } },
  },

  register(app, { key, now }) {
    app.get<{ Querystring: { ipAddress?: string; maxAgeInDays?: string; verbose?: string } }>(
      '/api/v2/check',
      async (request, reply) => {
        if (request.headers.key !== key) {
          const { status, body } = errorAnswer(
            401,
            'Authentication failed. Your API key is either missing, incorrect, or revoked.',
          );
          return reply.code(status).send(body);
        }
        const { ipAddress = '', maxAgeInDays = '30' } = request.query;
        if (isIP(ipAddress) === 0) {
          return refuse(
            reply,
            'ipAddress',
            'The ip address must be a valid IPv4 or IPv6 address (e.g. 8.8.8.8 or 2001:4860:4860::8888).',
          );
        }
        const days = Number(maxAgeInDays);
        if (!Number.isInteger(days) || days < 1 || days > 365) {
          return refuse(reply, 'maxAgeInDays', 'The max age in days must be between 1 and 365.');
        }
        reply.headers({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '999' });
        return { data: answerFor(ipAddress, now()) };
      },
    );
  },
});

function answerFor(ipAddress: string, now: Date): Record<string, unknown> {
  const reputation = reputationOf(ipAddress);
  const lastReportedAt =
    reputation.totalReports === 0
      ? null
      : new Date(now.getTime() - 3_600_000).toISOString().replace(/\.\d{3}Z$/, '+00:00');
  return {
    ipAddress,
    isPublic: reputation.isPublic,
    ipVersion: isIP(ipAddress),
    isWhitelisted: reputation.isPublic ? false : null,
    abuseConfidenceScore: reputation.score,
    countryCode: reputation.countryCode,
    usageType: reputation.usageType,
    isp: reputation.isp,
    domain: reputation.domain,
    hostnames: [],
    isTor: false,
    totalReports: reputation.totalReports,
    numDistinctUsers: Math.ceil(reputation.totalReports / 4),
    lastReportedAt,
  };
}

function refuse(reply: FastifyReply, parameter: string, detail: string): FastifyReply {
  return reply.code(422).send({ errors: [{ detail, status: 422, source: { parameter } }] });
}

function errorAnswer(status: number, detail: string) {
  return { status, body: { errors: [{ detail, status }] } };
}
