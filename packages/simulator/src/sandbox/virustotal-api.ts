import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyReply } from 'fastify';
import { reputationOf } from '../reputation.ts';
import { objectOf, textOf } from './request-values.ts';
import type { VendorApi } from './vendor-api.ts';

type Verdicts = { readonly malicious: number; readonly suspicious: number; readonly harmless: number };

/** The harmless test file of the antivirus industry, which every engine calls malicious. */
const EICAR_SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
const eicarHashes: ReadonlySet<string> = new Set([
  EICAR_SHA256,
  '3395856ce81f2b7382dee72602f798b642f14140',
  '44d88612fea8a8f36de82e1278abb02f',
]);

const engines = ['Examplar', 'Northwall', 'Sentinela', 'Virgo', 'Wardline'] as const;
const KNOWN_BAD = /(?:bad|evil|phish|malware)/;
const MAX_ANALYSES = 500;

/** VirusTotal v3: reports and URL scans. Hashes that end in 0 and names with "unknown" were never seen. */
export function createVirustotalApi(): VendorApi {
  const analyses = new Map<string, string>();
  return {
    id: 'virustotal',
    failures: {
      unauthorized: failure(401, 'WrongCredentialsError', 'Wrong API key'),
      forbidden: failure(403, 'ForbiddenError', 'You are not authorized to perform the requested operation'),
      rate_limited: failure(429, 'QuotaExceededError', 'Quota exceeded'),
      error_in_200: failure(200, 'TransientError', 'Transient server error, retry might work.'),
    },
    state: () => ({ scanned: [...analyses.values()] }),
    reset: () => analyses.clear(),

    register(app, { key, now }) {
      app.addHook('onRequest', async (request, reply) => {
        const given = request.headers['x-apikey'];
        if (given === undefined) return refuse(reply, 401, 'AuthenticationRequiredError', 'X-Apikey header is missing');
        if (given !== key) return refuse(reply, 401, 'WrongCredentialsError', 'Wrong API key');
        return undefined;
      });
      const seconds = () => Math.floor(now().getTime() / 1000);

      app.get<{ Params: { id: string } }>('/api/v3/files/:id', async (request, reply) => {
        const id = request.params.id.toLowerCase();
        if (!/^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/.test(id) || id.endsWith('0'))
          return missing(reply, 'File', id);
        return {
          data: { type: 'file', id: eicarHashes.has(id) ? EICAR_SHA256 : id, attributes: fileOf(id, seconds()) },
        };
      });
      app.get<{ Params: { id: string } }>('/api/v3/ip_addresses/:id', async (request, reply) => {
        const { id } = request.params;
        if (isIP(id) === 0)
          return refuse(reply, 400, 'InvalidArgumentError', `"${id}" is not a valid IP address pattern`);
        return { data: { type: 'ip_address', id, attributes: addressOf(id, seconds()) } };
      });
      app.get<{ Params: { id: string } }>('/api/v3/domains/:id', async (request, reply) => {
        const { id } = request.params;
        if (id.includes('unknown')) return missing(reply, 'Domain', id);
        const attributes = {
          ...common(verdictsOf(id), seconds()),
          registrar: 'Example Registrar',
          creation_date: 1_577_934_245,
        };
        return { data: { type: 'domain', id, attributes } };
      });
      app.get<{ Params: { id: string } }>('/api/v3/urls/:id', async (request, reply) => {
        const url = Buffer.from(request.params.id, 'base64url').toString('utf8');
        if (!URL.canParse(url) || url.includes('unknown')) return missing(reply, 'URL', request.params.id);
        const id = createHash('sha256').update(url).digest('hex');
        const attributes = { ...common(verdictsOf(url), seconds()), url, last_final_url: url, title: 'Example page' };
        return { data: { type: 'url', id, attributes } };
      });
      app.post('/api/v3/urls', async (request, reply) => {
        const url = textOf(objectOf(request.body).url);
        if (!URL.canParse(url)) return refuse(reply, 400, 'InvalidArgumentError', 'Unable to canonicalize url');
        const id = `u-${createHash('sha256').update(url).digest('hex')}-${seconds()}`;
        analyses.set(id, url);
        const [oldest] = analyses.keys();
        if (analyses.size > MAX_ANALYSES && oldest !== undefined) analyses.delete(oldest);
        return { data: { type: 'analysis', id } };
      });
      app.get<{ Params: { id: string } }>('/api/v3/analyses/:id', async (request, reply) => {
        const url = analyses.get(request.params.id);
        if (url === undefined) return missing(reply, 'Analysis', request.params.id);
        const attributes = { status: 'completed', date: seconds(), stats: statsOf(verdictsOf(url)) };
        return { data: { type: 'analysis', id: request.params.id, attributes } };
      });
    },
  };
}

function verdictsOf(text: string): Verdicts {
  return KNOWN_BAD.test(text)
    ? { malicious: 4, suspicious: 1, harmless: 0 }
    : { malicious: 0, suspicious: 0, harmless: 5 };
}

function fileOf(hash: string, at: number): Record<string, unknown> {
  const isEicar = eicarHashes.has(hash);
  return {
    ...common(
      isEicar ? { malicious: 5, suspicious: 0, harmless: 0 } : { malicious: 0, suspicious: 0, harmless: 0 },
      at,
    ),
    sha256: isEicar ? EICAR_SHA256 : hash,
    names: isEicar ? ['eicar.com', 'eicar.com.txt'] : ['setup.bin'],
    meaningful_name: isEicar ? 'eicar.com' : 'setup.bin',
    size: isEicar ? 68 : 40_960,
    type_tag: isEicar ? 'text' : 'peexe',
    ...(isEicar ? { popular_threat_classification: { suggested_threat_label: 'virus.eicar/test' } } : {}),
  };
}

function addressOf(address: string, at: number): Record<string, unknown> {
  const reputation = reputationOf(address);
  const malicious = reputation.score >= 80 ? 4 : 0;
  return {
    ...common({ malicious, suspicious: 0, harmless: engines.length - malicious }, at),
    as_owner: reputation.isp,
    asn: 64_496,
    country: reputation.countryCode,
    network: address.includes(':') ? `${address}/128` : `${address.split('.').slice(0, 3).join('.')}.0/24`,
  };
}

function common(verdicts: Verdicts, at: number): Record<string, unknown> {
  const { malicious, suspicious } = verdicts;
  return {
    last_analysis_date: at - 3600,
    last_analysis_stats: statsOf(verdicts),
    last_analysis_results: Object.fromEntries(
      engines.map((engine, index) => [engine, resultOf(engine, index, { malicious, suspicious })]),
    ),
    reputation: -10 * malicious,
    tags: malicious > 0 ? ['known-bad'] : [],
    total_votes: { harmless: 0, malicious },
  };
}

function resultOf(engine: string, index: number, { malicious, suspicious }: Omit<Verdicts, 'harmless'>) {
  const category = index < malicious ? 'malicious' : index < malicious + suspicious ? 'suspicious' : 'harmless';
  return { engine_name: engine, method: 'blacklist', category, result: category === 'harmless' ? 'clean' : category };
}

function statsOf({ malicious, suspicious, harmless }: Verdicts) {
  return {
    malicious,
    suspicious,
    harmless,
    undetected: engines.length - malicious - suspicious - harmless,
    timeout: 0,
  };
}

function missing(reply: FastifyReply, what: string, id: string): FastifyReply {
  return refuse(reply, 404, 'NotFoundError', `${what} "${id}" not found`);
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).send(failure(status, code, message).body);
}

function failure(status: number, code: string, message: string) {
  return { status, body: { error: { code, message } } };
}
