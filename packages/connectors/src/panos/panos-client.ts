import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import type { StatedFailure, VendorAnswer, VendorQuery } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import type { VendorErrorCode } from '@airdeck/connector-kit/vendor-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { baseUrl, configText, configTextOr } from '../config-values.ts';
import { readXml, type XmlElement, xmlChild, xmlWords } from '../xml.ts';

export const PANOS = 'PAN-OS';

/** Codes inside the answer that say more than "rejected". */
const codes: Readonly<Record<string, VendorErrorCode>> = {
  '7': 'VENDOR_NOT_FOUND',
  '8': 'VENDOR_CONFLICT',
  '10': 'VENDOR_CONFLICT',
  '16': 'VENDOR_PERMISSION_MISSING',
  '22': 'VENDOR_CREDENTIALS_REFUSED',
  '403': 'VENDOR_CREDENTIALS_REFUSED',
};

/** It takes one commit after the other, and has no code for that. */
const OTHER_COMMIT = /another (?:commit|validate)[^.]*in progress/i;
const OTHER_COMMIT_WAIT_S = 30;

const client = createVendorClient({
  vendor: PANOS,
  baseUrl: (config) => baseUrl(config),
  authorize: ({ config }) => ({ 'x-pan-key': configText(config, 'api_key') }),
  failure: panosFailure,
  headers: { accept: 'application/xml' },
  ca: ({ ca_certificate: ca }) => (typeof ca === 'string' ? ca : undefined),
});

export type PanosCall = {
  readonly type: 'op' | 'user-id' | 'config' | 'commit';
  /** Fields beside the type: `cmd`, or `action` and `xpath`. XML in them is built with `escapeXml`. */
  readonly form: Readonly<Record<string, string>>;
  /** Changes nothing on the firewall. */
  readonly reads?: boolean;
};

/**
 * One call of the XML API; gives the `response` element of a success. Failures come under HTTP 200 as well as under others,
 * so the answer itself is asked. Everything goes as a form: commands stay out of logs of addresses.
 */
export async function callPanos(context: ConnectorContext, { type, form, reads }: PanosCall): Promise<XmlElement> {
  const query: VendorQuery = type === 'config' || type === 'commit' ? { type } : { type, vsys: vsysOf(context.config) };
  const { text, status } = await client.call(context, {
    method: 'POST',
    path: '/api/',
    query,
    form,
    answers: 'text',
    ...(reads === true ? { reads } : {}),
  });
  const response = readXml(text);
  if (response?.name === 'response' && response.attributes.get('status') === 'success') return response;
  throw new VendorError(
    'VENDOR_ANSWER_UNREADABLE',
    `${PANOS} answered with something that is not its API (HTTP ${status}). Check the address.`,
  );
}

/** A command that only asks. */
export function showPanos(context: ConnectorContext, cmd: string): Promise<XmlElement> {
  return callPanos(context, { type: 'op', form: { cmd }, reads: true });
}

/** The virtual system of the settings; it becomes part of paths inside commands. */
export function vsysOf(config: JsonObject): string {
  const vsys = configTextOr(config, 'vsys', 'vsys1');
  if (/^vsys\d{1,3}$/.test(vsys)) return vsys;
  throw new VendorError('CONNECTOR_CONFIG_INVALID', 'The virtual system must be written like vsys1.');
}

function panosFailure({ text }: VendorAnswer): StatedFailure | undefined {
  if (!text.startsWith('<')) return undefined;
  const response = readXml(text);
  if (response?.name !== 'response' || response.attributes.get('status') === 'success') return undefined;
  const number = response.attributes.get('code') ?? '';
  const code = Object.hasOwn(codes, number) ? codes[number] : undefined;
  const words = wordsOf(xmlChild(response, 'msg') ?? xmlChild(response, 'result', 'msg'));
  const detail = number === '' ? words : `${words} (code ${number})`.trim();
  if (OTHER_COMMIT.test(words)) {
    return { detail, code: 'VENDOR_RATE_LIMITED', retryAfterS: OTHER_COMMIT_WAIT_S };
  }
  return { detail, ...(code === undefined ? {} : { code }) };
}

/** What is said about single entries stands in attributes, beside parts that say nothing. */
function wordsOf(message: XmlElement | undefined): string {
  const ofEntries = message === undefined ? [] : entryMessages(message);
  return ofEntries.length > 0 ? ofEntries.join(' ') : xmlWords(message);
}

function entryMessages({ attributes, children }: XmlElement): string[] {
  return [attributes.get('message') ?? [], children.flatMap(entryMessages)].flat();
}
