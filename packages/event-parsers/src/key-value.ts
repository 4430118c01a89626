const MAX_PAIRS = 1_000;

/**
 * Reads `key=value key="quoted value"` from left to right. Inside quotes a backslash takes the next character as it is.
 * Words without `=` are passed over; of equal keys the last counts. The result has no prototype, so that no key is special.
 */
export function parseKeyValues(text: string): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  let at = 0;
  for (let count = 0; count < MAX_PAIRS; count++) {
    const equals = text.indexOf('=', at);
    if (equals === -1) break;
    // The key is the word right before the sign; anything further left is no pair.
    const before = text.slice(at, equals);
    const key = before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('\t')) + 1);
    const start = equals + 1;
    const { value, end } = text[start] === '"' ? quoted(text, start + 1) : bare(text, start);
    if (key !== '') pairs[key] = value;
    at = end;
  }
  return pairs;
}

function bare(text: string, start: number): { value: string; end: number } {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== 32 && text.charCodeAt(end) !== 9) end++;
  return { value: text.slice(start, end), end };
}

/** A quote that is never closed reaches to the end of the line. */
function quoted(text: string, start: number): { value: string; end: number } {
  let value = '';
  let from = start;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '\\' && at + 1 < text.length) {
      value += text.slice(from, at);
      from = ++at;
    } else if (char === '"') return { value: value + text.slice(from, at), end: at + 1 };
  }
  return { value: value + text.slice(from), end: text.length };
}

const MAX_PARTS = 1_000;

/** Reads `key=value<separator>key=value`; values may hold spaces. What has no sign is passed over. */
export function parseSeparated(text: string, options: { separator: string; sign: string }): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  for (const part of text.split(options.separator, MAX_PARTS)) {
    const sign = part.indexOf(options.sign);
    const key = part.slice(0, Math.max(sign, 0)).trim();
    if (key !== '') pairs[key] = part.slice(sign + options.sign.length).trim();
  }
  return pairs;
}
