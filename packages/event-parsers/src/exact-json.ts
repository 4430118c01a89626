/** Fewer digits than this are always exact as a number. */
const MANY_DIGITS = /\d{16}/;
/** Strings are matched to be passed over: digits in them are text already. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WHOLE = /^-?[1-9]\d*$/;

/**
 * `JSON.parse`, but whole numbers that a number cannot hold are text: identifiers of flows, of sessions and of records are
 * longer than 2^53, and rounded they name something else. Throws as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(MANY_DIGITS.test(text) ? withTextForLongNumbers(text) : text);
}

function withTextForLongNumbers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (token) =>
    token.length < 16 || token.startsWith('"') || !WHOLE.test(token) || Number.isSafeInteger(Number(token))
      ? token
      : `"${token}"`,
  );
}
