/** Walks the frames of a zstd body (RFC 8878) without unpacking anything, so that nothing is made room for on its word. */
const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
/** What the format asks every reader to bear; senders of logs stay far below. */
const WINDOW_MAX_BYTES = 8 * 1_048_576;

export class ZstdError extends Error {
  override readonly name = 'ZstdError';
}

type Header = { blocks: number; hasChecksum: boolean; contentBytes: number | undefined };

/**
 * Sum of the sizes the frames say their content has; a frame that says nothing counts as nothing. Throws `ZstdError` when
 * the body is not whole frames from beginning to end, or asks for more memory or other means than it is worth.
 */
export function checkFrames(body: Uint8Array, maxContentBytes: number): number {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let content = 0;
  for (let at = 0; at < body.length; ) {
    need(view, at + 8);
    const magic = view.getUint32(at, true);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      at += 8 + view.getUint32(at + 4, true);
      need(view, at);
      continue;
    }
    if (magic !== FRAME) throw new ZstdError('not a zstd frame');
    const { blocks, hasChecksum, contentBytes = 0 } = readHeader(view, at);
    content += contentBytes;
    if (content > maxContentBytes) throw new RangeError('too large');
    at = endOfBlocks(view, blocks) + (hasChecksum ? 4 : 0);
    need(view, at);
  }
  return content;
}

function readHeader(view: DataView, frame: number): Header {
  const descriptor = view.getUint8(frame + 4);
  const isSingle = (descriptor & 0x20) !== 0;
  if ((descriptor & 0x08) !== 0 || (descriptor & 0x03) !== 0) throw new ZstdError('needs a dictionary, or is damaged');
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  let at = frame + 5;
  need(view, at + 1 + sizeBytes);
  if (!isSingle) {
    const window = view.getUint8(at++);
    const base = 2 ** (10 + (window >> 3));
    if (base + (base / 8) * (window & 7) > WINDOW_MAX_BYTES) throw new ZstdError('the window is too large');
  }
  return {
    blocks: at + sizeBytes,
    hasChecksum: (descriptor & 0x04) !== 0,
    contentBytes: contentBytesAt(view, at, sizeBytes),
  };
}

function contentBytesAt(view: DataView, at: number, sizeBytes: number): number | undefined {
  if (sizeBytes === 0) return undefined;
  if (sizeBytes === 1) return view.getUint8(at);
  if (sizeBytes === 2) return view.getUint16(at, true) + 256;
  return sizeBytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

function endOfBlocks(view: DataView, start: number): number {
  for (let at = start; ; ) {
    need(view, at + 3);
    const header = view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
    const type = (header >> 1) & 3;
    if (type === 3) throw new ZstdError('a block is damaged');
    // Of a repeated byte only that byte is there.
    at += 3 + (type === 1 ? 1 : header >> 3);
    need(view, at);
    if ((header & 1) === 1) return at;
  }
}

function need(view: DataView, end: number): void {
  if (end > view.byteLength) throw new ZstdError('the body breaks off');
}
