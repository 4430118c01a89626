import { serverLimits } from '@airdeck/contracts/server-limits';
import { MAY_BE_UNSTORABLE, storableJson } from '@airdeck/domain/storable-json';
import type { FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

const DEPTH_MAX = 32;
/** What anybody may have us hold for as long as a request may take to arrive. */
const STRANGERS_MAX_BYTES = 65_536;
/** Room for an empty object, however it is written: no more is read where a call takes no body. */
const NO_BODY_MAX_BYTES = 1_024;
/** Without it no number is larger than there are: an exponent of three digits, or as many digits as make up for it. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3}|\d{200}/;
const JSON_TYPE = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

type BodyOf = { readonly ofStrangers?: boolean; readonly takesNone?: boolean };

/** Collects and decodes a JSON body. One spelling of the content type, one parser, for every route. */
export async function readJsonBody(request: FastifyRequest, payload: AsyncIterable<Buffer>): Promise<unknown> {
  const bytes = await collect(payload, mostBytes(request.routeOptions.config as BodyOf));
  // A call without a body needs no content type.
  if (bytes.length === 0) return undefined;
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  if (request.headers['content-encoding'] !== undefined) throw new AppError('MEDIA_TYPE_UNSUPPORTED');
  return parseStrictJson(decodeUtf8(bytes));
}

function mostBytes({ ofStrangers, takesNone }: BodyOf): number {
  if (takesNone === true) return NO_BODY_MAX_BYTES;
  return ofStrangers === true ? STRANGERS_MAX_BYTES : serverLimits.jsonBodyMaxBytes;
}

async function collect(payload: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload) {
    size += chunk.length;
    if (size > maxBytes) throw new AppError('BODY_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    // A mark of the byte order stays, for the parser to refuse: readers disagree on whether it is there.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('BODY_NOT_DECODABLE', { message: 'The body is not UTF-8.', cause });
  }
}

/**
 * JSON that means one thing only: no key twice in an object (readers disagree on which one counts), no `__proto__`, no
 * number that would be read as infinite, no nesting beyond 32 levels, no more than 10,000 keys in all. What no store takes in a text (NUL, half of a
 * surrogate pair) is replaced here, once for all routes. Throws BODY_NOT_DECODABLE.
 */
export function parseStrictJson(text: string): unknown {
  // Before the real parser, because that one recurses.
  scanStructure(text);
  try {
    const value: unknown = JSON.parse(text, MAY_OVERFLOW.test(text) ? refuseInfinite : undefined);
    return MAY_BE_UNSTORABLE.test(text) ? JSON.parse(storableJson(value)) : value;
  } catch (cause) {
    throw new AppError('BODY_NOT_DECODABLE', { message: 'The body is not valid JSON.', cause });
  }
}

function refuseInfinite(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('A number is too large.');
  return value;
}

/** Walks over strings and brackets. What it takes for a key in broken JSON does not matter: the parser refuses that. */
function scanStructure(text: string): void {
  const open: (Set<string> | null)[] = [];
  let keysFound = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null);
      if (open.length > DEPTH_MAX) throw undecodable(`The body is nested deeper than ${DEPTH_MAX} levels.`);
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) {
        keysFound += 1;
        if (keysFound > serverLimits.jsonKeysMax) {
          throw undecodable(`The body has more than ${serverLimits.jsonKeysMax} keys.`);
        }
        checkKey(text.slice(at, end + 1), keys);
      }
      at = end;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  throw undecodable('The body is not valid JSON.');
}

function isKey(text: string, end: number): boolean {
  for (let at = end + 1; at < text.length; at++) {
    const char = text[at];
    if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') return char === ':';
  }
  return false;
}

function checkKey(quoted: string, keys: Set<string>): void {
  const key = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  if (key === '__proto__') throw undecodable('The key __proto__ is not allowed.');
  if (keys.has(key)) throw undecodable(`The key ${quoted.slice(0, 102)} occurs twice in one object.`);
  keys.add(key);
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch (cause) {
    throw new AppError('BODY_NOT_DECODABLE', { message: 'The body is not valid JSON.', cause });
  }
}

function undecodable(message: string): AppError {
  return new AppError('BODY_NOT_DECODABLE', { message });
}
