/** The thread that unpacks one zstd body and ends. Its own bundle in a build; nothing of the server is in it. */
import { parentPort, workerData } from 'node:worker_threads';
import { Decompress } from 'fzstd';
import { checkFrames } from './zstd-frames.ts';

export type ZstdOrder = { readonly bytes: ArrayBuffer; readonly maxBytes: number };
export type ZstdResult =
  | { readonly kind: 'unpacked'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'refused'; readonly why: 'too-large' | 'broken' };

const result = unpack(workerData as ZstdOrder);
parentPort?.postMessage(result, result.kind === 'unpacked' ? [result.bytes] : []);

function unpack({ bytes, maxBytes }: ZstdOrder): ZstdResult {
  const body = new Uint8Array(bytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    const announced = checkFrames(body, maxBytes);
    const unpacker = new Decompress((part) => {
      size += part.length;
      if (size > maxBytes) throw new RangeError('too large');
      parts.push(part);
    });
    unpacker.push(body, true);
    return size < announced ? { kind: 'refused', why: 'broken' } : { kind: 'unpacked', bytes: joined(parts, size) };
  } catch (error) {
    return { kind: 'refused', why: error instanceof RangeError ? 'too-large' : 'broken' };
  }
}

function joined(parts: readonly Uint8Array[], size: number): ArrayBuffer {
  const whole = new Uint8Array(new ArrayBuffer(size));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}
