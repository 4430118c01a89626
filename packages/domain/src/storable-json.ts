// JSON.stringify writes NUL and unpaired surrogates, and only those, as these escapes; an odd backslash starts one.
const UNSTORABLE_ESCAPE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/** In JSON text, where whole pairs may be written as escapes too: whether a look at its value is worth it. */
export const MAY_BE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * JSON text of a value that a relational store takes: what cannot be stored in text there (NUL, half of a surrogate
 * pair) is replaced by U+FFFD, as elsewhere with undecodable input. Values from logs hold such things.
 *
 * @throws TypeError for values JSON cannot express, as JSON.stringify does
 */
export function storableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSTORABLE_ESCAPE, '$1\\ufffd');
}

/** The same for a plain text. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}
