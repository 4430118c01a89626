import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import type { OpenapiDocument } from './openapi-document.ts';

const MAX_HOPS = 20;

/**
 * What a node stands for: itself, or what its local `$ref` points to. Undefined when the reference leaves the document,
 * points nowhere, or to itself by any number of hops. Nothing is ever fetched.
 */
export function resolved({ root }: OpenapiDocument, node: unknown): JsonObject | undefined {
  let current = node;
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    if (!isJsonObject(current)) return undefined;
    const reference = Object.hasOwn(current, '$ref') ? current.$ref : undefined;
    if (typeof reference !== 'string') return current;
    current = target(root, reference);
  }
  return undefined;
}

function target(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#/') || reference.length > 1000) return undefined;
  let current: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const name = unescaped(part);
    const isThere =
      typeof current === 'object' && current !== null && name !== undefined && Object.hasOwn(current, name);
    if (!isThere) return undefined;
    current = (current as JsonObject)[name];
  }
  return current;
}

/** A part of a JSON pointer inside a URI fragment. */
function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
