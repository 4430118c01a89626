/**
 * Cuts a TCP stream into syslog messages (RFC 6587). Every frame may use either framing, as senders mix them:
 *
 *   start ── digits, space, `<` ──► counted (that many bytes) ──► start
 *     └───── anything else ───────► line (up to a newline) ─────► start
 *
 * A count without `<` behind it is taken for text, so that a line that begins with a number does not swallow what follows.
 * Of a frame beyond the limit the first part is kept and the rest passed over; the connection goes on with the next frame.
 */
export type FrameReader = {
  push(chunk: Buffer): void;
  /** The sender closed: what has no newline yet is a line, too. */
  end(): void;
};

const NEWLINE = 0x0a;
const COUNT = /^([1-9]\d{0,6}) </;
const COUNT_SO_FAR = /^[1-9]\d{0,6} ?$/;
const COUNT_LENGTH = 9;

type Options = { maxBytes: number; onFrame: (frame: Buffer) => void; onCut: () => void };

export function createFrameReader({ maxBytes, onFrame, onCut }: Options): FrameReader {
  let mode: 'start' | 'line' | 'counted' = 'start';
  /** Beginning of a frame of which it is not clear yet whether it is a count. */
  let head = '';
  let parts: Buffer[] = [];
  let held = 0;
  /** Bytes a counted frame still lacks. */
  let missing = 0;
  let isCut = false;

  function keep(bytes: Buffer): void {
    const room = maxBytes - held;
    if (bytes.length > room) isCut = true;
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
    if (kept.length === 0) return;
    parts.push(kept);
    held += kept.length;
  }

  function emit(): void {
    const [only] = parts;
    const frame = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, held);
    if (isCut) onCut();
    [mode, parts, held, isCut] = ['start', [], 0, false];
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
    const end = newline === -1 ? chunk.length : newline;
    keep(chunk.subarray(at, end));
    if (newline === -1) return end - at;
    emit();
    return end - at + 1;
  }

  function counted(chunk: Buffer, at: number): number {
    const used = Math.min(missing, chunk.length - at);
    keep(chunk.subarray(at, at + used));
    missing -= used;
    if (missing === 0) emit();
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
      if (held > 0) emit();
    },
  };
}
