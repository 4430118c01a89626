/** One record of a body: its line (or, in a JSON array, its place), counted from 1, and its bytes. */
export type RecordText = { readonly line: number; readonly bytes: Buffer };

const [NEWLINE, RETURN, SPACE, TAB, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x20, 0x09, 0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c];
/** A scan over one long record gives way after this many bytes. */
const SCAN_STEP = 262_144;

export class BrokenArrayError extends Error {
  override readonly name = 'BrokenArrayError';
}

/** The lines of a body, without those that hold nothing. `undefined` comes in between where that is much, to let others run. */
export function* linesOf(body: Buffer): Generator<RecordText | undefined, void> {
  let line = 1;
  let start = withoutMark(body);
  let pause = start + SCAN_STEP;
  for (let at = start; at < body.length; ) {
    if (at >= pause) {
      yield undefined;
      pause = at + SCAN_STEP;
    }
    const byte = body[at];
    if (byte === NEWLINE) {
      line++;
      start = ++at;
    } else if (isSpace(byte)) at++;
    else {
      const newline = body.indexOf(NEWLINE, at);
      at = newline === -1 ? body.length : newline;
      yield { line, bytes: body.subarray(start, body[at - 1] === RETURN ? at - 1 : at) };
    }
  }
}

/**
 * The records of a JSON array, cut out without decoding it as a whole, which would stop everything else for as long. Each
 * is checked when it is decoded. `undefined` comes in between on long records, to let others run. Throws
 * `BrokenArrayError` when the array breaks off or something follows it.
 */
export function* elementsOf(body: Buffer): Generator<RecordText | undefined, void> {
  let at = skipBlank(body, withoutMark(body)) + 1;
  at = skipBlank(body, at);
  if (body[at] === CLOSE_ARRAY) return endOf(body, at);
  for (let line = 1; ; line++) {
    const end = yield* endOfElement(body, at);
    const sign = body[end];
    if (sign !== COMMA && sign !== CLOSE_ARRAY) throw new BrokenArrayError(`The array breaks off in record ${line}.`);
    yield { line, bytes: body.subarray(at, end) };
    if (sign === CLOSE_ARRAY) return endOf(body, end);
    at = skipBlank(body, end + 1);
  }
}

/** Whether the body's JSON is an array; only the first sign is looked at. */
export function startsArray(body: Buffer): boolean {
  return body[skipBlank(body, withoutMark(body))] === OPEN_ARRAY;
}

const WRAPPER = /^\{\s*"[Rr]ecords"\s*:\s*(?=\[)/;
/** Its name and the blanks around it; vendors write none or few. */
const WRAPPER_MAX = 100;

/**
 * The array inside an object that holds nothing else: `{"Records":[…]}` as CloudTrail writes its files, `{"records":[…]}` as
 * Azure does. By its first and last signs alone: whether more stands between them, `elementsOf` finds out.
 */
export function wrappedArray(body: Buffer): Buffer | undefined {
  const start = skipBlank(body, withoutMark(body));
  const wrapper = WRAPPER.exec(body.toString('latin1', start, start + WRAPPER_MAX));
  if (wrapper === null) return undefined;
  const end = lastSign(body, body.length);
  const close = lastSign(body, end);
  if (body[end] !== CLOSE_OBJECT || body[close] !== CLOSE_ARRAY) return undefined;
  return body.subarray(start + wrapper[0].length, close + 1);
}

/** Index of the last sign before `end` that is no blank. */
function lastSign(body: Buffer, end: number): number {
  let at = end - 1;
  while (at > 0 && isSpace(body[at])) at--;
  return at;
}

/** Index of the comma or bracket that ends the element. */
function* endOfElement(body: Buffer, start: number): Generator<undefined, number> {
  let depth = 0;
  let inText = false;
  let pause = start + SCAN_STEP;
  for (let at = start; at < body.length; at++) {
    const byte = body[at];
    if (at >= pause) {
      yield undefined;
      pause = at + SCAN_STEP;
    }
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY)) return at;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
  }
  return body.length;
}

function endOf(body: Buffer, close: number): void {
  if (skipBlank(body, close + 1) < body.length) throw new BrokenArrayError('Something follows the end of the array.');
}

function withoutMark(body: Buffer): number {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN || byte === NEWLINE;
}

export function skipBlank(body: Buffer, start: number): number {
  let at = start;
  while (at < body.length && isSpace(body[at])) at++;
  return at;
}
