/** The thread that reads one document and ends. Its own bundle in a build; nothing of the server is in it. */
import { parentPort, workerData } from 'node:worker_threads';
import { readDocument } from './openapi-document.ts';
import type { OpenapiErrorCode } from './openapi-error.ts';
import { OpenapiError } from './openapi-error.ts';
import type { OpenapiIntegration } from './openapi-integration.ts';
import { makeIntegration } from './openapi-integration.ts';
import type { DocumentOverview } from './openapi-overview.ts';
import { overviewOf } from './openapi-overview.ts';
import type { GivenVerb } from './openapi-verbs.ts';

/** `chosen` null lists. */
export type ReadingOrder = {
  readonly bytes: ArrayBuffer;
  readonly chosen: readonly string[] | null;
  readonly given: readonly GivenVerb[];
};
export type ReadingResult =
  | { readonly kind: 'listed'; readonly overview: DocumentOverview }
  | { readonly kind: 'made'; readonly integration: OpenapiIntegration }
  | { readonly kind: 'refused'; readonly code: OpenapiErrorCode; readonly message: string };

parentPort?.postMessage(read(workerData as ReadingOrder));

function read({ bytes, chosen, given }: ReadingOrder): ReadingResult {
  try {
    const document = readDocument(new Uint8Array(bytes));
    if (chosen === null) return { kind: 'listed', overview: overviewOf(document) };
    return { kind: 'made', integration: makeIntegration(document, chosen, given) };
  } catch (error) {
    if (error instanceof OpenapiError) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  }
}
