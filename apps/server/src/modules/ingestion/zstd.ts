import { createBoundedThread, ThreadError } from '../../bounded-thread.ts';
import { builtProgram } from '../../built-program.ts';
import { AppError } from '../../http/app-error.ts';
import { overloaded } from './overloaded.ts';
import type { ZstdOrder, ZstdResult } from './zstd-worker.ts';

/**
 * Unpacks zstd in a thread of its own: a crafted block makes any reader in JavaScript copy for seconds.
 * Throws BODY_NOT_DECODABLE, BODY_TOO_LARGE, and OVERLOADED when too many bodies wait.
 */
const thread = createBoundedThread<ZstdOrder, ZstdResult>(builtProgram('zstd-worker'), {
  timeoutMs: 5_000,
  heapMb: 64,
  maxWaiting: 8,
});

export async function unpackZstd(parts: readonly Buffer[], maxBytes: number): Promise<Buffer> {
  const bytes = copied(parts);
  const result = await thread({ bytes, maxBytes }, [bytes]).catch(refuse);
  if (result.kind === 'unpacked') return Buffer.from(result.bytes);
  if (result.why === 'broken') throw broken();
  throw new AppError('BODY_TOO_LARGE', { message: `The body is larger than ${maxBytes / 1_048_576} MB.` });
}

function copied(parts: readonly Buffer[]): ArrayBuffer {
  const whole = new Uint8Array(new ArrayBuffer(parts.reduce((sum, part) => sum + part.length, 0)));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}

function refuse(error: unknown): never {
  if (!(error instanceof ThreadError)) throw error;
  throw error.code === 'TOO_MANY' ? overloaded() : broken(error);
}

function broken(cause?: unknown): AppError {
  return new AppError('BODY_NOT_DECODABLE', {
    message: 'The body is not what zstd writes, or it breaks off.',
    ...(cause === undefined ? {} : { cause }),
  });
}
