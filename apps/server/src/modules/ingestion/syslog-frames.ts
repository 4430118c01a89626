/**
 * Cuts a TCP stream into syslog messages (RFC 6587). Every frame may use either framing, as senders mix them:
 *
 *   start ── digits, space, `<` ──► counted (that many bytes) ──► start
 *     └───── anything else ───────► line (up to a newline) ─────► start
 *
 * A count without `<` behind it is taken for text, so that a line that begins with a number does not swallow what follows.
 * Of a frame beyond the limit the first part is kept and the rest passed over; the connection goes on with the next frame.
 * The beginning of a frame that goes on in the next chunk is copied into memory of its own: of chunks nothing stays, however
 * small the pieces are that a sender sends it in.
 */
export type FrameReader = {
  push(chunk: Buffer): void;
  /** The sender closed: what has no newline yet is a line, too. */
  end(): void;
  /** Memory taken by a frame that has begun and not ended. */
  readonly heldBytes: number;
};

const NEWLINE = 0x0a;
const COUNT = /^([1-9]\d{0,6}) </;
const COUNT_SO_FAR = /^[1-9]\d{0,6} ?$/;
const COUNT_LENGTH = 9;
const NOTHING: Buffer = Buffer.alloc(0);
const ROOM_FIRST_BYTES = 256;

type Options = { maxBytes: number; onFrame: (frame: Buffer) => void; onCut: () => void };

export function createFrameReader({ maxBytes, onFrame, onCut }: Options): FrameReader {
  let mode: 'start' | 'line' | 'counted' = 'start';
  /** Beginning of a frame of which it is not clear yet whether it is a count. */
  let head = '';
  /** Begins with the `held` bytes of the frame that are here; the rest is room for what comes. */
  let kept = NOTHING;
  let held = 0;
  /** Bytes a counted frame still lacks. */
  let missing = 0;
  let isCut = false;

  function keep(bytes: Buffer): void {
    const room = maxBytes - held;
    if (bytes.length > room) isCut = true;
    const more = Math.min(bytes.length, room);
    if (held + more > kept.length) kept = withRoomFor(held + more);
    bytes.copy(kept, held, 0, more);
    held += more;
  }

  /** Twice as much each time, so that a frame in tiny pieces is not copied for each of them. */
  function withRoomFor(bytes: number): Buffer {
    const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(bytes, 2 * kept.length, ROOM_FIRST_BYTES)));
    kept.copy(larger, 0, 0, held);
    return larger;
  }

  function emit(rest: Buffer): void {
    const isInOneChunk = held === 0 && rest.length <= maxBytes;
    if (!isInOneChunk) keep(rest);
    const frame = isInOneChunk ? rest : kept.subarray(0, held);
    if (isCut) onCut();
    [mode, kept, held, isCut] = ['start', NOTHING, 0, false];
    if (frame.length > 0 && !(frame.length === 1 && frame[0] === 0x0d)) onFrame(frame);
  }

  /** Returns how many bytes of the chunk it used up. */
  function decide(chunk: Buffer, at: number): number {
    if (head === '' && (chunk[at] === NEWLINE || chunk[at] === 0x0d || chunk[at] === 0)) return 1;
    const seen = head + chunk.toString('latin1', at, at + COUNT_LENGTH - head.length);
    const count = COUNT.exec(seen)?.[1];
    if (count !== undefined) {
      const used = count.length + 1 - head.length;
      [mode, missing, head] = ['counted', Number(count), ''];
      return used;
    }
    if (COUNT_SO_FAR.test(seen) && at + seen.length - head.length >= chunk.length) {
      const used = seen.length - head.length;
      head = seen;
      return used;
    }
    if (head !== '') keep(Buffer.from(head, 'latin1'));
    [mode, head] = ['line', ''];
    return 0;
  }

  function line(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(NEWLINE, at);
    if (newline === -1) {
      keep(chunk.subarray(at));
      return chunk.length - at;
    }
    emit(chunk.subarray(at, newline));
    return newline - at + 1;
  }

  function counted(chunk: Buffer, at: number): number {
    const used = Math.min(missing, chunk.length - at);
    const bytes = chunk.subarray(at, at + used);
    missing -= used;
    if (missing === 0) emit(bytes);
    else keep(bytes);
    return used;
  }

  const steps = { start: decide, line, counted };
  return {
    push(chunk) {
      for (let at = 0; at < chunk.length; ) at += steps[mode](chunk, at);
    },
    end() {
      if (head !== '') keep(Buffer.from(head, 'latin1'));
      head = '';
      if (held > 0) emit(NOTHING);
    },
    get heldBytes() {
      return kept.length;
    },
  };
}
