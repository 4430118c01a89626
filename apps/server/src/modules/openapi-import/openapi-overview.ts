import { baseUrlOf, serversOf } from './openapi-address.ts';
import type { OpenapiDocument } from './openapi-document.ts';
import { leadAt, objectAt, textAt } from './openapi-document.ts';
import { type ListedOperation, listOperations, MAX_OPERATIONS } from './openapi-operations.ts';
import { OAUTH_LABEL, securitySchemes, unusableSchemes } from './openapi-security.ts';

/** What a document says about itself, for whoever chooses from it. */
export type DocumentOverview = {
  readonly title: string;
  readonly description: string;
  readonly api_version: string;
  readonly servers: readonly string[];
  readonly base_url: string | null;
  readonly credentials: readonly string[];
  readonly warnings: readonly string[];
  readonly operations: readonly ListedOperation[];
};

/** Reads as much of the document as choosing needs. Throws nothing: what it lacks becomes a warning. */
export function overviewOf(document: OpenapiDocument): DocumentOverview {
  const info = objectAt(document.root, 'info');
  const operations = listOperations(document);
  const servers = serversOf(document);
  const base_url = baseUrlOf(document);
  const credentials = [...new Set(securitySchemes(document).map(({ label }) => label))];
  return {
    title: textAt(info, 'title', 80),
    description: leadAt(info, 'description', 300),
    api_version: textAt(info, 'version', 40),
    servers,
    base_url,
    credentials,
    warnings: [
      ...addressWarnings(servers, base_url),
      ...credentialWarnings(credentials, unusableSchemes(document)),
      ...operationWarnings(operations),
    ],
    operations,
  };
}

function addressWarnings(servers: readonly string[], base: string | null): string[] {
  if (servers.length === 0) return ['The document does not say where the service is: enter its address.'];
  const warnings: string[] = [];
  if (base === null) warnings.push('The address in the document is not complete: enter the one you use.');
  else if (servers.length > 1) warnings.push(`The document names ${servers.length} addresses; the first is taken.`);
  if (base?.startsWith('http://') === true) {
    warnings.push('The address in the document is not encrypted: credentials would be readable on their way.');
  }
  return warnings;
}

function credentialWarnings(usable: readonly string[], unusable: readonly string[]): string[] {
  const warnings: string[] = [];
  if (unusable.length > 0) warnings.push(`Ways to sign in that cannot be used from here: ${unusable.join(', ')}.`);
  if (usable.length === 0) {
    warnings.push('The document describes no credentials that can be used: choose how to sign in.');
  }
  if (usable.includes(OAUTH_LABEL)) {
    warnings.push('It signs in by OAuth: paste an access token. It is not renewed from here when it ends.');
  }
  return warnings;
}

function operationWarnings(operations: readonly ListedOperation[]): string[] {
  if (operations.length === 0) return ['The document describes no operations.'];
  if (operations.length < MAX_OPERATIONS) return [];
  return [`Only the first ${MAX_OPERATIONS} operations are listed.`];
}
