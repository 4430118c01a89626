import { createHash } from 'node:crypto';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate } from 'node:zlib';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import { inSlices } from '../../loop-share.ts';
import type { Announcement } from './announced-bodies.ts';
import type { ByteBudget } from './byte-budget.ts';
import { overloaded } from './overloaded.ts';
import { unpackZstd } from './zstd.ts';

export type ReceiveOptions = {
  encoding: string | undefined;
  contentLength: number | undefined;
  /** Keeps a place for what was announced; undefined where there is no room for it. */
  announce: (bytes: number) => Announcement | undefined;
  /** Whether so many bodies are read at once that each has to wait for its turn. */
  isCrowded: () => boolean;
  budget: Pick<ByteBudget, 'take' | 'give'>;
};

export type Body = {
  /** Decoded. */
  bytes: Buffer;
  hash: Buffer;
  /** Gives the memory back to the budget; to be called once. */
  release(): void;
};

/**
 * Reads and unpacks a body within limits: bytes as sent, bytes unpacked, and the memory all senders share. It stops in the
 * middle of what is too large, so that a gzip bomb costs no more than the limit. The stream is left as it is on errors,
 * because the answer still has to go out over its connection.
 */
export async function receiveBody(stream: Readable, options: ReceiveOptions): Promise<Body> {
  const { encoding = 'identity', contentLength = 0, announce, isCrowded, budget } = options;
  if (contentLength > serverLimits.ingestBodyMaxBytes) throw tooLarge(serverLimits.ingestBodyMaxBytes);
  // At once, instead of in the middle of it.
  const announced = announce(contentLength);
  if (announced === undefined) throw overloaded();
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  let size = 0;
  const slices = inSlices();
  const release = () => budget.give(size);
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      if (size + chunk.length > serverLimits.ingestInflatedMaxBytes)
        throw tooLarge(serverLimits.ingestInflatedMaxBytes);
      if (!budget.take(chunk.length)) throw overloaded();
      size += chunk.length;
      hash.update(chunk);
      chunks.push(chunk);
      if (isCrowded()) await slices.next();
    }
  };
  try {
    const sent = bounded(stream, serverLimits.ingestBodyMaxBytes, announced);
    if (encoding === 'identity') await collect(sent);
    else if (encoding === 'gzip') await unpack(sent, createGunzip(), collect);
    else if (encoding === 'deflate') await unpack(sent, createInflate(), collect);
    else if (encoding === 'zstd') await collect(zstd(sent, budget));
    else {
      throw new AppError('MEDIA_TYPE_UNSUPPORTED', {
        message: 'Bodies may be sent as they are, or packed with gzip, deflate or zstd.',
      });
    }
    return { bytes: Buffer.concat(chunks), hash: hash.digest(), release };
  } catch (error) {
    release();
    throw error;
  } finally {
    announced.end();
  }
}

async function* bounded(stream: Readable, maxBytes: number, announced: Announcement): AsyncGenerator<Buffer, void> {
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    announced.arrived(chunk.length);
    yield chunk;
  }
}

/** All of it is needed before it can be unpacked; until then what was sent is held. */
async function* zstd(sent: AsyncIterable<Buffer>, budget: ReceiveOptions['budget']): AsyncGenerator<Buffer, void> {
  const parts: Buffer[] = [];
  let held = 0;
  try {
    for await (const part of sent) {
      if (!budget.take(part.length)) throw overloaded();
      held += part.length;
      parts.push(part);
    }
    yield await unpackZstd(parts, serverLimits.ingestInflatedMaxBytes);
  } finally {
    budget.give(held);
  }
}

async function unpack(
  sent: AsyncIterable<Buffer>,
  unpacker: Transform,
  collect: (source: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  try {
    await pipeline(sent, unpacker, collect);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('BODY_NOT_DECODABLE', {
      message: 'The body is not packed as Content-Encoding says, or it breaks off.',
      cause,
    });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('BODY_TOO_LARGE', { message: `The body is larger than ${maxBytes / 1_048_576} MB.` });
}
