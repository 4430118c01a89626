import type { JsonObject } from '@airdeck/contracts/fields';
import type { OpenapiDocument } from './openapi-document.ts';
import { objectAt, objectsAt, textAt } from './openapi-document.ts';
import type { Operation } from './openapi-operations.ts';

const MAX_SERVERS = 20;
/** As long as a connector's may be. */
const MAX_CHARS = 500;
/** More than fits, so that what was cut off at its end is too long and not another address. */
const READ_CHARS = 2 * MAX_CHARS;

/** The first server, where it names an address: not a relative one, not one with parts to fill in. */
export function baseUrlOf(document: OpenapiDocument): string | null {
  return plainAddress(baseAddress(document));
}

/** An address that can stand before a path, without slashes at its end; null for every other text. */
export function plainAddress(text: string): string | null {
  if (!URL.canParse(text) || /[{}]/.test(text)) return null;
  const url = new URL(text);
  const isPlain = ['https:', 'http:'].includes(url.protocol) && url.username === '' && url.password === '';
  const address = url.href.replace(/\/+$/, '');
  return isPlain && url.search === '' && url.hash === '' && address.length <= MAX_CHARS ? address : null;
}

/** Addresses as the document writes them, for people to look at. */
export function serversOf({ root, version }: OpenapiDocument): string[] {
  if (version === '2.0') return [swaggerAddress(root)].filter((text) => text !== '');
  const texts = objectsAt(root, 'servers')
    .slice(0, MAX_SERVERS)
    .map((server) => textAt(server, 'url', MAX_CHARS));
  return texts.filter((text) => text !== '');
}

/**
 * Whether an operation is somewhere else than the document's first address, which is the one credentials are given for.
 * Some documents repeat that address at every path.
 */
export function isElsewhere(document: OpenapiDocument, { servers }: Operation): boolean {
  if (servers.length === 0) return false;
  const base = comparable(baseAddress(document));
  return base === '' || !servers.slice(0, MAX_SERVERS).some((server) => comparable(serverAddress(server)) === base);
}

/** Relative addresses and those to be completed are the same when they are written the same. */
function comparable(text: string): string {
  return plainAddress(text) ?? text;
}

function baseAddress({ root, version }: OpenapiDocument): string {
  if (version === '2.0') return swaggerAddress(root);
  const [server] = objectsAt(root, 'servers');
  return server === undefined ? '' : serverAddress(server);
}

function serverAddress(server: JsonObject): string {
  const variables = objectAt(server, 'variables');
  return textAt(server, 'url', READ_CHARS).replace(/\{([^{}]+)\}/g, (braces, name: string) => {
    const variable = objectAt(variables, name);
    // One of a list is an address of the service; a free one is an example, and credentials must not go to an example.
    return Array.isArray(variable.enum) ? textAt(variable, 'default', 200) || braces : braces;
  });
}

function swaggerAddress(root: JsonObject): string {
  const schemes = Array.isArray(root.schemes) ? root.schemes : [];
  const scheme = schemes.includes('http') && !schemes.includes('https') ? 'http' : 'https';
  const host = textAt(root, 'host', READ_CHARS);
  return host === '' ? '' : `${scheme}://${host}${textAt(root, 'basePath', READ_CHARS)}`;
}
