/**
 * Reads uploaded descriptions of APIs in bounded threads: the event loop copies the bytes in and receives a bounded result.
 */
import { createBoundedThread, ThreadError, type ThreadLimits } from '../../bounded-thread.ts';
import { builtProgram } from '../../built-program.ts';
import { MAX_DOCUMENT_BYTES } from './openapi-document.ts';
import { OpenapiError } from './openapi-error.ts';
import type { OpenapiIntegration } from './openapi-integration.ts';
import type { DocumentOverview } from './openapi-overview.ts';
import type { GivenVerb } from './openapi-verbs.ts';
import type { ReadingOrder, ReadingResult } from './openapi-worker.ts';

export interface OpenapiReader {
  /** What can be chosen. Throws `OpenapiError`. */
  list(bytes: Uint8Array): Promise<DocumentOverview>;
  /** The integration of the chosen operations, by their keys, with the verbs given before. Throws `OpenapiError`. */
  make(bytes: Uint8Array, chosen: readonly string[], given?: readonly GivenVerb[]): Promise<OpenapiIntegration>;
}

const readerLimits: ThreadLimits = { timeoutMs: 20_000, heapMb: 384, maxWaiting: 10 };

export function createOpenapiReader(limits: Partial<ThreadLimits> = {}): OpenapiReader {
  const entry = builtProgram('openapi-worker');
  const thread = createBoundedThread<ReadingOrder, ReadingResult>(entry, { ...readerLimits, ...limits });

  async function read(bytes: Uint8Array, order: Omit<ReadingOrder, 'bytes'>): Promise<ReadingResult> {
    // Before any copy is made of it.
    if (bytes.byteLength > MAX_DOCUMENT_BYTES) {
      throw new OpenapiError('DOCUMENT_TOO_LARGE', 'The document has more than 5 MB.');
    }
    const copy = copied(bytes);
    const result = await thread({ bytes: copy, ...order }, [copy]).catch(refuse);
    if (result.kind === 'refused') throw new OpenapiError(result.code, result.message);
    return result;
  }

  return {
    async list(bytes) {
      const result = await read(bytes, { chosen: null, given: [] });
      if (result.kind === 'listed') return result.overview;
      throw stopped();
    },
    async make(bytes, chosen, given = []) {
      const result = await read(bytes, { chosen, given });
      if (result.kind === 'made') return result.integration;
      throw stopped();
    },
  };
}

function copied(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}

function refuse(error: unknown): never {
  if (!(error instanceof ThreadError)) throw error;
  if (error.code === 'STOPPED') throw stopped(error);
  throw new OpenapiError('READING_STOPPED', 'Too many documents are being read just now. Try again in a minute.');
}

function stopped(cause?: unknown): OpenapiError {
  return new OpenapiError('READING_STOPPED', 'The document takes too long or too much memory to read.', { cause });
}
