/**
 * The outline of a JSON text that is too large to be held, made while the text goes by: which record it is, when it is of,
 * and where the vendor's list goes on still stand in it. Long texts become empty ones, and what is nested deeply is emptied.
 * Where a value has very many members, those behind the first are left out, so the outline itself is small.
 *
 * It is no way to check JSON: of a text that is none, it is none either.
 */
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** What ends a number or a word; by byte, as every byte of many megabytes is asked about. */
const isSign = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte <= 0x20 || '",:[]{}'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** Tokens and links of next pages may have some kilobytes. */
const TEXT_MAX_BYTES = 8_192;
const LITERAL_MAX_BYTES = 64;
/** As deep as the fields of a record stand in any vendor's answer: `{"messages":[{"message":{…}}]}`. */
const MAX_DEPTH = 4;
/** Of each member of the whole: what follows a record with a million fields still has room. */
const MEMBER_MAX_BYTES = 262_144;

export type JsonOutline = {
  /** False once the outline has more than `maxBytes` itself. */
  write(chunk: Buffer): boolean;
  text(): string;
};

type Open = { readonly close: '}' | ']'; isEmpty: boolean; awaitsKey: boolean };

export function createJsonOutline(maxBytes: number): JsonOutline {
  const open: Open[] = [];
  const out: string[] = [];
  let size = 0;
  let sizeOfMember = 0;
  let key = '';
  /** How deep the scan is inside of what is left out. */
  let skipped = 0;
  let isText = false;
  let isEscaped = false;
  let token: string[] = [];
  let tokenBytes = 0;

  function isFull(): boolean {
    return open.length > 1 && sizeOfMember > MEMBER_MAX_BYTES;
  }

  function put(text: string): void {
    out.push(text);
    size += text.length;
    sizeOfMember += text.length;
  }

  function take(chunk: Buffer, from: number, to: number, maxTokenBytes: number): void {
    if (skipped > 0 || from === to) return;
    tokenBytes += to - from;
    // What is too long is not kept, only known to be; a sign of several bytes may come in two pieces.
    if (tokenBytes > maxTokenBytes || isFull()) token = [];
    else token.push(chunk.toString('latin1', from, to));
  }

  /** What was taken, unless it is too long. */
  function taken(maxTokenBytes: number): string | undefined {
    const text = tokenBytes > maxTokenBytes ? undefined : utf8Of(token);
    token = [];
    tokenBytes = 0;
    return text;
  }

  function emit(value: string): boolean {
    const within = open.at(-1);
    if (isFull()) return false;
    if (open.length <= 1) sizeOfMember = 0;
    if (within !== undefined) {
      put(`${within.isEmpty ? '' : ','}${within.close === '}' ? `${key}:` : ''}`);
      within.isEmpty = false;
    }
    put(value);
    return true;
  }

  function begin(signs: '{}' | '[]'): void {
    if (skipped > 0 || open.length >= MAX_DEPTH) {
      if (skipped === 0) emit(signs);
      skipped += 1;
      return;
    }
    if (!emit(signs.charAt(0))) skipped = 1;
    else open.push({ close: signs === '{}' ? '}' : ']', isEmpty: true, awaitsKey: signs === '{}' });
  }

  function end(): void {
    if (skipped > 0) skipped -= 1;
    else put(open.pop()?.close ?? '');
  }

  function endText(): void {
    isText = false;
    if (skipped > 0) return;
    const text = `"${taken(TEXT_MAX_BYTES) ?? ''}"`;
    const within = open.at(-1);
    if (within?.awaitsKey === true) {
      key = text;
      within.awaitsKey = false;
    } else emit(text);
  }

  function endLiteral(): void {
    if (tokenBytes > 0) emit(taken(LITERAL_MAX_BYTES) ?? 'null');
  }

  function readText(chunk: Buffer, from: number): number {
    let at = from;
    if (isEscaped) {
      isEscaped = false;
      at += 1;
    }
    while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at += 1;
    isEscaped = chunk[at] === BACKSLASH;
    const end = isEscaped ? at + 1 : at;
    take(chunk, from, end, TEXT_MAX_BYTES);
    if (isEscaped || at === chunk.length) return end;
    endText();
    return at + 1;
  }

  function readLiteral(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && isSign[chunk[at] ?? 0] === 0) at += 1;
    take(chunk, from, at, LITERAL_MAX_BYTES);
    return at;
  }

  function readSign(byte: number | undefined): void {
    if (byte !== COLON) endLiteral();
    if (byte === QUOTE) isText = true;
    else if (byte === OPEN_OBJECT) begin('{}');
    else if (byte === OPEN_ARRAY) begin('[]');
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) end();
    else if (byte === COMMA && skipped === 0) {
      const within = open.at(-1);
      if (within?.close === '}') within.awaitsKey = true;
    }
  }

  return {
    write(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (isText) at = readText(chunk, at);
        else if (isSign[chunk[at] ?? 0] === 1) readSign(chunk[at++]);
        else at = readLiteral(chunk, at);
      }
      return size <= maxBytes;
    },
    text() {
      endLiteral();
      return out.join('');
    },
  };
}

function utf8Of(token: readonly string[]): string {
  return token.length === 0 ? '' : Buffer.from(token.join(''), 'latin1').toString('utf8');
}
