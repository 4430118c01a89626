import type { ActionContext, ActionDefinition } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, textAt, textOf, textsOf } from '../answer-fields.ts';
import { addressInputSchema, inputAddress } from '../ip-address.ts';
import { inputText } from '../vendor-action.ts';
import { virustotalAction } from './virustotal-action.ts';
import { findVirustotalObject } from './virustotal-client.ts';
import { inputUrl, urlId, urlSchema } from './virustotal-url.ts';

const nullableText = { type: ['string', 'null'] };
const nullableNumber = { type: ['number', 'null'] };

const MAX_VERDICTS = 100;
const MAX_NAMES = 20;

type Report = {
  readonly verb: string;
  readonly friendly_name: string;
  readonly description: string;
  readonly field: string;
  readonly input: JsonObject;
  /** Path of the object; throws when the input is not what it should be. */
  path(context: ActionContext): string;
  /** Facts only this kind of object has. */
  readonly facts: JsonObject;
  read(attributes: JsonObject): JsonObject;
};

const HASH = {
  max: 64,
  pattern: /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/,
  like: 'an MD5, SHA-1 or SHA-256',
};
const DOMAIN = {
  max: 253,
  pattern: /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)+[A-Za-z0-9-]{2,63}$/,
  like: 'such as www.example.com',
};

/** Four kinds of objects, one answer: verdicts of many engines. */
const reports: readonly Report[] = [
  {
    verb: 'file_report',
    friendly_name: 'File report',
    description: 'What is known of a file, by its hash.',
    field: 'hash',
    input: { type: 'string', title: 'MD5, SHA-1 or SHA-256', minLength: 32, maxLength: 64 },
    path: (context) => `/files/${segment(inputText(context, 'hash', HASH).toLowerCase())}`,
    facts: {
      name: nullableText,
      names: { type: 'array', items: { type: 'string' } },
      type: nullableText,
      size_bytes: nullableNumber,
      sha256: nullableText,
      threat_label: nullableText,
    },
    read: (file) => ({
      name: textOf(file, 'meaningful_name'),
      names: textsOf(file.names).slice(0, MAX_NAMES),
      type: textOf(file, 'type_tag'),
      size_bytes: numberOf(file, 'size'),
      sha256: textOf(file, 'sha256'),
      threat_label: textAt(file, 'popular_threat_classification', 'suggested_threat_label'),
    }),
  },
  {
    verb: 'ip_report',
    friendly_name: 'IP address report',
    description: 'What is known of an address, and whose it is.',
    field: 'ip',
    input: addressInputSchema,
    path: (context) => `/ip_addresses/${segment(inputAddress(context.input, 'ip', 'any'))}`,
    facts: { as_owner: nullableText, asn: nullableNumber, country: nullableText, network: nullableText },
    read: (address) => ({
      as_owner: textOf(address, 'as_owner'),
      asn: numberOf(address, 'asn'),
      country: textOf(address, 'country'),
      network: textOf(address, 'network'),
    }),
  },
  {
    verb: 'domain_report',
    friendly_name: 'Domain report',
    description: 'What is known of a domain.',
    field: 'domain',
    input: { type: 'string', title: 'Domain', minLength: 4, maxLength: 253 },
    path: (context) => `/domains/${segment(inputText(context, 'domain', DOMAIN).toLowerCase())}`,
    facts: { registrar: nullableText, created_at: nullableText },
    read: (domain) => ({ registrar: textOf(domain, 'registrar'), created_at: timeOf(domain, 'creation_date') }),
  },
  {
    verb: 'url_report',
    friendly_name: 'URL report',
    description: 'What is known of a URL. Nothing is submitted: an unknown URL stays unknown.',
    field: 'url',
    input: urlSchema,
    path: (context) => `/urls/${segment(urlId(inputUrl(context)))}`,
    facts: { title: nullableText, final_url: nullableText },
    read: (url) => ({ title: textOf(url, 'title'), final_url: textOf(url, 'last_final_url') }),
  },
];

export const reportActions: readonly ActionDefinition[] = reports.map((report) =>
  virustotalAction({
    verb: report.verb,
    friendly_name: report.friendly_name,
    description: report.description,
    input: { [report.field]: report.input },
    required: [report.field],
    output: {
      found: { type: 'boolean', description: 'False when VirusTotal has never seen it.' },
      id: nullableText,
      malicious: { type: 'integer' },
      suspicious: { type: 'integer' },
      harmless: { type: 'integer' },
      undetected: { type: 'integer' },
      reputation: nullableNumber,
      tags: { type: 'array', items: { type: 'string' } },
      last_analysis_at: nullableText,
      verdicts: {
        type: 'array',
        description: 'Engines that call it malicious or suspicious.',
        items: {
          type: 'object',
          properties: { engine: { type: 'string' }, category: nullableText, result: nullableText },
        },
      },
      ...report.facts,
    },
    effect: 'reads',
    idempotent: true,

    async run(context) {
      const found = await findVirustotalObject(context, { path: report.path(context) });
      const attributes = objectOf(found?.attributes);
      return {
        found: found !== undefined,
        id: textOf(found ?? {}, 'id'),
        ...commonFacts(attributes),
        ...report.read(attributes),
      };
    },
  }),
);

function commonFacts(attributes: JsonObject): JsonObject {
  const stats = objectOf(attributes.last_analysis_stats);
  return {
    malicious: numberOf(stats, 'malicious') ?? 0,
    suspicious: numberOf(stats, 'suspicious') ?? 0,
    harmless: numberOf(stats, 'harmless') ?? 0,
    undetected: numberOf(stats, 'undetected') ?? 0,
    reputation: numberOf(attributes, 'reputation'),
    tags: textsOf(attributes.tags).slice(0, 50),
    last_analysis_at: timeOf(attributes, 'last_analysis_date'),
    verdicts: verdictsOf(objectOf(attributes.last_analysis_results)),
  };
}

function verdictsOf(results: JsonObject): JsonObject[] {
  return Object.entries(results)
    .map(([engine, result]) => ({
      engine,
      category: textOf(objectOf(result), 'category'),
      result: textOf(objectOf(result), 'result'),
    }))
    .filter(({ category }) => category === 'malicious' || category === 'suspicious')
    .slice(0, MAX_VERDICTS);
}

/** Epoch seconds as ISO 8601. */
function timeOf(attributes: JsonObject, field: string): string | null {
  const seconds = numberOf(attributes, field);
  return seconds === null || Math.abs(seconds) > 8.64e12 ? null : new Date(seconds * 1000).toISOString();
}
