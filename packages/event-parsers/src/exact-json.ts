/** Fewer digits than this are always exact as a number. */
const MANY_DIGITS = /\d{16}/;
const QUOTE_OR_NUMBER = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WHOLE = /^-?[1-9]\d*$/;
const BACKSLASH = 92;
const QUOTE = 34;

/**
 * `JSON.parse`, but whole numbers that a number cannot hold are text: identifiers of flows, of sessions and of records are
 * longer than 2^53, and rounded they name something else. Throws as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  // First as it is: only in JSON that is known to be valid does every string close, so that looking for numbers is linear.
  const value: unknown = JSON.parse(text);
  const exact = MANY_DIGITS.test(text) ? withTextForLongNumbers(text) : text;
  return exact === text ? value : JSON.parse(exact);
}

/** Strings are passed over: digits in them are text already. */
function withTextForLongNumbers(json: string): string {
  let written = '';
  let from = 0;
  QUOTE_OR_NUMBER.lastIndex = 0;
  for (let found = QUOTE_OR_NUMBER.exec(json); found !== null; found = QUOTE_OR_NUMBER.exec(json)) {
    const [token] = found;
    if (token === '"') QUOTE_OR_NUMBER.lastIndex = endOfString(json, found.index + 1);
    else if (isLong(token)) {
      written += `${json.slice(from, found.index)}"${token}"`;
      from = found.index + token.length;
    }
  }
  return from === 0 ? json : written + json.slice(from);
}

/** Not a pattern: one for strings with their escapes keeps a place to return to for each, and runs out of stack. */
function endOfString(json: string, start: number): number {
  let at = start;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isLong(token: string): boolean {
  return token.length >= 16 && WHOLE.test(token) && !Number.isSafeInteger(Number(token));
}
