const MAX_PAIRS = 1_000;

/** What may stand between pairs, right behind a value. */
const PAIR_FOLLOWS = /[,;][ \t]+[^\s=]+=/y;
const CLOSING_APOSTROPHE = /'[,;]?(?:[ \t]|$)/y;

type Value = { value: string; end: number };

/**
 * Reads `key=value key="quoted value" key='quoted value'` from left to right. Inside double quotes a backslash takes a quote
 * or a backslash as it is; before anything else it is one, as in paths. A comma or semicolon between two pairs is no part of
 * the value. Words without `=` are passed over; of equal keys the last counts. The result has no prototype, so that no key
 * is special.
 */
export function parseKeyValues(text: string): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  const lastClosing = lastClosingApostrophe(text);
  let at = 0;
  for (let count = 0; count < MAX_PAIRS; count++) {
    const equals = text.indexOf('=', at);
    if (equals === -1) break;
    // The key is the word right before the sign; anything further left is no pair.
    const before = text.slice(at, equals);
    const key = before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('\t')) + 1);
    const start = equals + 1;
    const sign = text[start];
    let found: Value;
    if (sign === '"') found = quoted(text, start + 1);
    else if (sign === "'" && start < lastClosing) found = inApostrophes(text, start + 1);
    else found = bare(text, start);
    if (key !== '') pairs[key] = found.value;
    at = found.end;
  }
  return pairs;
}

/** Known beforehand, so that no value looks in vain through the rest of the text. */
function lastClosingApostrophe(text: string): number {
  let at = text.lastIndexOf("'");
  while (at > 0 && !closesAt(text, at)) at = text.lastIndexOf("'", at - 1);
  return at;
}

/** There is one that closes at or behind the start. */
function inApostrophes(text: string, start: number): Value {
  let end = text.indexOf("'", start);
  while (!closesAt(text, end)) end = text.indexOf("'", end + 1);
  return { value: text.slice(start, end), end: end + 1 };
}

/** Not one within a word. */
function closesAt(text: string, at: number): boolean {
  CLOSING_APOSTROPHE.lastIndex = at;
  return CLOSING_APOSTROPHE.test(text);
}

function bare(text: string, start: number): Value {
  let end = start;
  while (end < text.length && text.charCodeAt(end) !== 32 && text.charCodeAt(end) !== 9) end++;
  PAIR_FOLLOWS.lastIndex = end - 1;
  const valueEnd = end > start && PAIR_FOLLOWS.test(text) ? end - 1 : end;
  return { value: text.slice(start, valueEnd), end };
}

/** A quote that is never closed reaches to the end of the line. */
function quoted(text: string, start: number): Value {
  let value = '';
  let from = start;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') return { value: value + text.slice(from, at), end: at + 1 };
    if (char !== '\\') continue;
    const next = text[at + 1];
    if (next !== '"' && next !== '\\') continue;
    value += text.slice(from, at);
    from = ++at;
  }
  return { value: value + text.slice(from), end: text.length };
}

const MAX_PARTS = 1_000;

/**
 * Reads `key=value<separator>key=value`; values may hold spaces. What has no sign is passed over. Of equal keys the first
 * counts: a value that somebody sent may hold the separator, and stands behind what the device says itself.
 */
export function parseSeparated(text: string, options: { separator: string; sign: string }): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  for (const part of text.split(options.separator, MAX_PARTS)) {
    const sign = part.indexOf(options.sign);
    const key = part.slice(0, Math.max(sign, 0)).trim();
    if (key !== '' && !(key in pairs)) pairs[key] = part.slice(sign + options.sign.length).trim();
  }
  return pairs;
}
