import type { JsonObject } from '@airdeck/contracts/fields';
import type { OpenapiDocument } from './openapi-document.ts';
import { isObject, objectAt, textAt } from './openapi-document.ts';
import type { Operation } from './openapi-operations.ts';
import { resolved } from './openapi-reference.ts';

/** How one credential is presented. `id` is a slug and the prefix of its settings. */
export type SecurityScheme = { readonly id: string; readonly label: string; readonly description: string } & (
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' }
  | { readonly kind: 'key'; readonly place: 'header' | 'query' | 'cookie'; readonly name: string }
);

/** What the connector has to present: one of `alternatives`, each all of its schemes. Empty: nothing is asked for. */
export type CredentialPlan = {
  readonly schemes: readonly SecurityScheme[];
  readonly alternatives: readonly {
    readonly id: string;
    readonly label: string;
    readonly schemes: readonly string[];
  }[];
};

const MAX_SCHEMES = 20;

/**
 * The schemes we can present, in the document's order. An OAuth flow is a bearer token that a person gets and pastes: its
 * token address is the document's word, and a client secret goes to no address but the connector's own.
 */
export function securitySchemes(document: OpenapiDocument): readonly SecurityScheme[] {
  return usableSchemes(document).map(([, scheme]) => scheme);
}

/** The alternatives that fit all of these operations, those of the first operation first. */
export function planCredentials(document: OpenapiDocument, operations: readonly Operation[]): CredentialPlan {
  const byName = new Map(usableSchemes(document));
  const alternatives = new Map<string, CredentialPlan['alternatives'][number]>();
  for (const requirement of operations.flatMap(({ node }) => requirementsOf(document, node))) {
    const parts = Object.keys(requirement).map((name) => byName.get(name));
    const usable = parts.filter((part): part is SecurityScheme => part !== undefined);
    if (usable.length === 0 || usable.length < parts.length) continue;
    const id = usable.map((part) => part.id).join('_and_');
    alternatives.set(id, {
      id,
      label: usable.map((part) => part.label).join(' and '),
      schemes: usable.map((part) => part.id),
    });
  }
  const used = new Set([...alternatives.values()].flatMap((one) => one.schemes));
  return {
    schemes: [...byName.values()].filter(({ id }) => used.has(id)),
    alternatives: [...alternatives.values()].slice(0, 10),
  };
}

function requirementsOf({ root }: OpenapiDocument, node: JsonObject): JsonObject[] {
  const stated = Array.isArray(node.security) ? node.security : root.security;
  return Array.isArray(stated) ? stated.filter(isObject).slice(0, 20) : [];
}

function usableSchemes(document: OpenapiDocument): [string, SecurityScheme][] {
  const { root, version } = document;
  const owner =
    version === '2.0'
      ? objectAt(root, 'securityDefinitions')
      : objectAt(objectAt(root, 'components'), 'securitySchemes');
  const ids = new Set<string>();
  return Object.entries(owner)
    .slice(0, MAX_SCHEMES)
    .flatMap(([name, reference]): [string, SecurityScheme][] => {
      const node = resolved(document, reference);
      const scheme = node === undefined ? undefined : readScheme(slugOf(name, ids), node);
      return scheme === undefined ? [] : [[name, scheme]];
    });
}

function readScheme(id: string, node: JsonObject): SecurityScheme | undefined {
  const shared = { id, description: textAt(node, 'description', 300) };
  const type = String(node.type);
  const scheme = String(node.scheme).toLowerCase();
  if (type === 'basic' || (type === 'http' && scheme === 'basic')) {
    return { ...shared, kind: 'basic', label: 'User name and password' };
  }
  if (type === 'http' && scheme === 'bearer') return { ...shared, kind: 'bearer', label: 'Token' };
  if (type === 'oauth2' || type === 'openIdConnect')
    return { ...shared, kind: 'bearer', label: 'Access token (OAuth)' };
  const { name, in: place } = node;
  const isPlace = place === 'header' || place === 'query' || place === 'cookie';
  if (type !== 'apiKey' || !isPlace || typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name))
    return undefined;
  return { ...shared, kind: 'key', place, name, label: `${name} (${place})` };
}

function slugOf(name: string, taken: Set<string>): string {
  const plain = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
  const trimmed = plain.replace(/^[^a-z]+|_+$/g, '').slice(0, 30) || 'credential';
  let slug = trimmed;
  for (let count = 2; taken.has(slug); count += 1) slug = `${trimmed}_${count}`;
  taken.add(slug);
  return slug;
}
