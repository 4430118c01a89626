import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import type { ImportedCredential } from '@airdeck/contracts/openapi/schema';
import type { OpenapiDocument } from './openapi-document.ts';
import { objectAt, textAt } from './openapi-document.ts';
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
const BASIC_LABEL = 'User name and password';
const BEARER_LABEL = 'Token';
export const OAUTH_LABEL = 'Access token (OAuth)';

/**
 * The schemes we can present, in the document's order. An OAuth flow is a bearer token that a person gets and pastes: its
 * token address is the document's word, and a client secret goes to no address but the connector's own.
 */
export function securitySchemes(document: OpenapiDocument): readonly SecurityScheme[] {
  return usableSchemes(document).map(([, scheme]) => scheme);
}

/** Names of the schemes we cannot present, in the document's order. */
export function unusableSchemes(document: OpenapiDocument): readonly string[] {
  const usable = new Set(usableSchemes(document).map(([name]) => name));
  return Object.keys(schemesOwner(document))
    .slice(0, MAX_SCHEMES)
    .filter((name) => !usable.has(name))
    .map((name) => name.slice(0, 80));
}

/** What somebody chose instead of what the document says. */
export function credentialPlanOf(credential: ImportedCredential): CredentialPlan {
  if (credential.kind === 'none') return { schemes: [], alternatives: [] };
  const id = 'credential';
  const scheme = { id, description: '', ...presentedAs(credential) };
  return { schemes: [scheme], alternatives: [{ id, label: scheme.label, schemes: [id] }] };
}

function presentedAs(credential: Exclude<ImportedCredential, { kind: 'none' }>) {
  if (credential.kind === 'key') return { ...credential, label: `${credential.name} (${credential.place})` };
  if (credential.kind === 'basic') return { kind: credential.kind, label: BASIC_LABEL };
  return { kind: credential.kind, label: BEARER_LABEL };
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
  return Array.isArray(stated) ? stated.filter(isJsonObject).slice(0, 20) : [];
}

function schemesOwner({ root, version }: OpenapiDocument): JsonObject {
  if (version === '2.0') return objectAt(root, 'securityDefinitions');
  return objectAt(objectAt(root, 'components'), 'securitySchemes');
}

function usableSchemes(document: OpenapiDocument): [string, SecurityScheme][] {
  const ids = new Set<string>();
  return Object.entries(schemesOwner(document))
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
    return { ...shared, kind: 'basic', label: BASIC_LABEL };
  }
  if (type === 'http' && scheme === 'bearer') return { ...shared, kind: 'bearer', label: BEARER_LABEL };
  if (type === 'oauth2' || type === 'openIdConnect') return { ...shared, kind: 'bearer', label: OAUTH_LABEL };
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
