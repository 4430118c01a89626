import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { storableJson } from '@airdeck/domain/storable-json';
import { parseDocument } from 'yaml';
import { OpenapiError } from './openapi-error.ts';

/** A description of an API, read but not resolved. */
export type OpenapiDocument = {
  readonly version: '2.0' | '3.0' | '3.1';
  readonly root: JsonObject;
};

export const MAX_DOCUMENT_BYTES = 5 * 1_048_576;
/** NUL and halves of surrogate pairs as JSON and YAML spell them: neither is stored, nor in any name of a schema. */
const MAY_NAME_UNSTORABLE = /\0|\\(?:0|x00|[uU](?:0000)?(?:0000|d[89a-f]))/i;
const MAX_DEPTH = 100;
const MAX_NODES = 1_000_000;
/** How often anchors may be repeated, all of what they hold counted. */
const MAX_ALIASES = 100;

/** Reads JSON or YAML of up to 5 MB. Blocks while it works: for the worker, see openapi-reader.ts. Throws `OpenapiError`. */
export function readDocument(bytes: Uint8Array): OpenapiDocument {
  if (bytes.byteLength > MAX_DOCUMENT_BYTES) {
    throw new OpenapiError('DOCUMENT_TOO_LARGE', 'The document has more than 5 MB.');
  }
  const text = decoded(bytes);
  const root = text.trimStart().startsWith('{') ? fromJson(text) : fromYaml(text);
  checkSize(root);
  if (!isJsonObject(root)) throw notOpenapi();
  const kept = MAY_NAME_UNSTORABLE.test(text) ? (JSON.parse(storableJson(root)) as JsonObject) : root;
  return { version: versionOf(root), root: kept };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new OpenapiError('DOCUMENT_UNREADABLE', 'The document is not text in UTF-8.', { cause });
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new OpenapiError('DOCUMENT_UNREADABLE', 'The document begins like JSON but is not.', { cause });
  }
}

/** Plain data only: a tag of its own (`!!js/function`) or an anchor repeated a million times is refused. */
function fromYaml(text: string): unknown {
  try {
    // Comparing every key with every other would be quadratic; of two equal keys the last one counts, as in JSON.
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
    });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) {
      const line = text.slice(0, problem.pos[0]).split('\n').length;
      throw new OpenapiError('DOCUMENT_UNREADABLE', `The document is not plain YAML (line ${line}).`, {
        cause: problem,
      });
    }
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (cause) {
    if (cause instanceof OpenapiError) throw cause;
    // The library says "excessive aliases" with a ReferenceError, and a nesting without end with a RangeError.
    if (cause instanceof ReferenceError || cause instanceof RangeError) throw tooComplex(cause);
    throw new OpenapiError('DOCUMENT_UNREADABLE', 'The document is neither JSON nor YAML.', { cause });
  }
}

/** Walked without recursion, so that depth is counted instead of felt. */
function checkSize(root: unknown): void {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  let nodes = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    nodes += 1;
    if (nodes > MAX_NODES || next.depth > MAX_DEPTH) throw tooComplex();
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const value of Object.values(next.value)) waiting.push({ value, depth: next.depth + 1 });
  }
}

function versionOf(root: JsonObject): OpenapiDocument['version'] {
  if (root.swagger === '2.0') return '2.0';
  const { openapi } = root;
  if (typeof openapi === 'string' && /^3\.0\.\d+/.test(openapi)) return '3.0';
  if (typeof openapi === 'string' && /^3\.1\.\d+/.test(openapi)) return '3.1';
  throw notOpenapi();
}

function notOpenapi(): OpenapiError {
  return new OpenapiError(
    'DOCUMENT_NOT_OPENAPI',
    'The document does not say that it is OpenAPI 3.0, 3.1 or Swagger 2.0.',
  );
}

function tooComplex(cause?: unknown): OpenapiError {
  return new OpenapiError('DOCUMENT_TOO_COMPLEX', 'The document is nested too deeply or repeats itself too often.', {
    cause,
  });
}

/** An object inside; empty when there is none. */
export function objectAt(owner: JsonObject, field: string): JsonObject {
  const value = Object.hasOwn(owner, field) ? owner[field] : undefined;
  return isJsonObject(value) ? value : {};
}

/** A text inside in one line, at most `max` characters; empty when there is none. */
export function textAt(owner: JsonObject, field: string, max: number): string {
  const value = Object.hasOwn(owner, field) ? owner[field] : undefined;
  const line =
    typeof value === 'string'
      ? value
          .slice(0, max * 4)
          .replace(/[\p{C}\s]+/gu, ' ')
          .trim()
      : '';
  return line.length > max ? `${line.slice(0, max - 1).replace(/\p{Surrogate}$/u, '')}…` : line;
}

/** What a description begins with, in one line: headings and lists after it are for a page, not for a card. */
export function leadAt(owner: JsonObject, field: string, max: number): string {
  const value = Object.hasOwn(owner, field) ? owner[field] : undefined;
  if (typeof value !== 'string') return '';
  const [lead = ''] = value
    .trim()
    .slice(0, max * 4)
    .split(/\n\s*(?:#|[-*] |---)/, 1);
  return textAt({ lead }, 'lead', max);
}

/** The objects of a list inside. */
export function objectsAt(owner: JsonObject, field: string): JsonObject[] {
  const value = Object.hasOwn(owner, field) ? owner[field] : undefined;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
