import type { ActionEffect } from '@airdeck/contracts/actions/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import type { OpenapiDocument } from './openapi-document.ts';
import { objectAt, objectsAt, textAt } from './openapi-document.ts';
import { resolved } from './openapi-reference.ts';
import { unsupportedReason } from './openapi-request.ts';

/** An operation as people choose from. */
export type ListedOperation = {
  /** `GET /pets/{id}`: what a choice names. */
  readonly key: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly effect: ActionEffect;
  readonly deprecated: boolean;
  /** Why it cannot be imported; null when it can. */
  readonly unsupported: string | null;
};

/** An operation with what it inherits from its path. */
export type Operation = {
  readonly key: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly node: JsonObject;
  /** The addresses it has instead of the document's, its own before its path's; empty when it has none. */
  readonly servers: readonly JsonObject[];
  /** Resolved; of two with the same name and place the operation's own. */
  readonly parameters: readonly JsonObject[];
};

export const MAX_OPERATIONS = 2000;

/** All that is known of what an operation does: a method may not read and change (RFC 9110), and no other word is binding. */
export const effects: Readonly<Record<Operation['method'], ActionEffect>> = {
  GET: 'reads',
  POST: 'changes',
  PUT: 'changes',
  PATCH: 'changes',
  DELETE: 'destroys',
};

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** All operations in the document's order, at most 2,000. */
export function listOperations(document: OpenapiDocument): ListedOperation[] {
  return operationsOf(document).map((operation) => ({
    key: operation.key,
    summary: nameOf(operation),
    description: textAt(operation.node, 'description', 300),
    tags: tagsOf(operation.node),
    effect: effects[operation.method],
    deprecated: operation.node.deprecated === true,
    unsupported: unsupportedReason(document, operation),
  }));
}

export function operationsOf(document: OpenapiDocument): Operation[] {
  const found: Operation[] = [];
  for (const [path, reference] of Object.entries(objectAt(document.root, 'paths'))) {
    const item = resolved(document, reference);
    if (item === undefined) continue;
    for (const method of methods) {
      const node = Object.hasOwn(item, method) ? item[method] : undefined;
      if (!isJsonObject(node)) continue;
      const upper = method.toUpperCase() as Operation['method'];
      found.push({
        key: `${upper} ${path}`,
        method: upper,
        path,
        node,
        servers: serversAt([node, item]),
        parameters: parametersOf(document, item, node),
      });
      if (found.length >= MAX_OPERATIONS) return found;
    }
  }
  return found;
}

/** What people call it: its summary, its id, or method and path. */
export function nameOf({ node, key }: Operation): string {
  return textAt(node, 'summary', 80) || textAt(node, 'operationId', 80) || key.slice(0, 80);
}

/** An entry that is no object stands for an address nobody can read, which is not the document's either. */
function serversAt(owners: readonly JsonObject[]): JsonObject[] {
  const own = owners.map(({ servers }) => servers).find((servers) => Array.isArray(servers) && servers.length > 0);
  return Array.isArray(own) ? own.map((server) => (isJsonObject(server) ? server : {})) : [];
}

function parametersOf(document: OpenapiDocument, item: JsonObject, node: JsonObject): JsonObject[] {
  const byPlace = new Map<string, JsonObject>();
  for (const reference of [...objectsAt(item, 'parameters'), ...objectsAt(node, 'parameters')].slice(0, 300)) {
    const parameter = resolved(document, reference);
    if (parameter !== undefined) byPlace.set(JSON.stringify([parameter.in, parameter.name]), parameter);
  }
  return [...byPlace.values()];
}

function tagsOf({ tags }: JsonObject): string[] {
  const texts = Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [];
  return texts.slice(0, 10).map((tag) => textAt({ tag }, 'tag', 80));
}
