import type { Readable, Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { EgressError } from './egress-error.ts';
import { createJsonOutline, type JsonOutline } from './json-outline.ts';

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Nobody's record has as much; what has more is no answer to wait for. */
const OUTLINED_MAX_BYTES = 128 * 1_048_576;

type BodyLimits = {
  readonly host: string;
  readonly maxBytes: number;
  /** Of a body with more than `maxBytes`, the outline. */
  readonly outline: boolean;
};

type ReadBody = { readonly text: string; readonly isOutline: boolean };

/**
 * Reads an answer to its end, decoded, never holding more than `maxBytes` of it: both what arrives and what it inflates
 * to count. Throws `BODY_TOO_LARGE` or `BODY_UNREADABLE`.
 */
export async function readBody(body: Readable, encoding: string | undefined, limits: BodyLimits): Promise<ReadBody> {
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

async function collect(stream: Readable, limits: BodyLimits): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let outline: JsonOutline | undefined;
  let size = 0;
  for await (const chunk of stream) {
    const part = chunk as Buffer;
    size += part.length;
    if (size > limits.maxBytes) {
      if (limits.outline) outline ??= await outlineOf(chunks.splice(0), limits);
      if (size > OUTLINED_MAX_BYTES || outline?.write(part) !== true) {
        stream.destroy();
        throw tooLarge(limits);
      }
    } else chunks.push(part);
  }
  if (outline !== undefined) return { text: outline.text(), isOutline: true };
  return { text: Buffer.concat(chunks, size).toString('utf8'), isOutline: false };
}

async function outlineOf(chunks: readonly Buffer[], { maxBytes }: BodyLimits): Promise<JsonOutline> {
  const outline = createJsonOutline(maxBytes);
  for (const chunk of chunks) {
    outline.write(chunk);
    // Megabytes are scanned here that are there already: others get their turn between them.
    await setImmediate();
  }
  return outline;
}

function tooLarge({ host, maxBytes }: BodyLimits): EgressError {
  const megabytes = Math.round(maxBytes / 1_048_576);
  return new EgressError('BODY_TOO_LARGE', refusal('EGRESS_ANSWER_TOO_LARGE', { host, megabytes }));
}

function isZlibFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ERR_') || code.startsWith('ERR__'));
}
