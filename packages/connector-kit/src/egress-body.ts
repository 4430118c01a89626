import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { EgressError } from './egress-error.ts';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads an answer to its end, decoded, never holding more than `maxBytes` of it: both what arrives and what it inflates
 * to count. Throws `BODY_TOO_LARGE` or `BODY_UNREADABLE`.
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  limits: { host: string; maxBytes: number },
): Promise<Buffer> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return collect(body, limits);
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (create === undefined) {
    body.destroy();
    throw new EgressError('BODY_UNREADABLE', refusal('EGRESS_ANSWER_ENCODING', { host: limits.host }));
  }
  const decoder = create();
  body.on('error', (error) => decoder.destroy(error));
  body.pipe(decoder);
  try {
    return await collect(decoder, limits);
  } catch (cause) {
    if (cause instanceof EgressError || !isZlibFailure(cause)) throw cause;
    throw new EgressError('BODY_UNREADABLE', refusal('EGRESS_ANSWER_BROKEN', { host: limits.host }), { cause });
  } finally {
    body.destroy();
  }
}

async function collect(stream: Readable, limits: { host: string; maxBytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const part = chunk as Buffer;
    size += part.length;
    if (size > limits.maxBytes) {
      stream.destroy();
      throw new EgressError(
        'BODY_TOO_LARGE',
        refusal('EGRESS_ANSWER_TOO_LARGE', {
          host: limits.host,
          megabytes: Math.round(limits.maxBytes / 1_048_576),
        }),
      );
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks, size);
}

function isZlibFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('ERR__'));
}
