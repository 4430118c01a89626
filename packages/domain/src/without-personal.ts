const MAX = 300;

/** In order: what is found first hides what a later row would find in it. */
const rows: readonly (readonly [RegExp, string])[] = [
  [/[?#][^\s"')\]]+/g, '?…'],
  [/[^\s"'<>(),;:]{1,64}@[^\s"'<>(),;:]{1,255}/g, '[e-mail]'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '[id]'],
  // Long words without a break are keys and tokens; words of ours are shorter or have spaces.
  [/[A-Za-z0-9_+=.~-]{32,}/g, '[token]'],
  [/\d{4,}/g, '[number]'],
];

/**
 * A text for error reports, at most 300 characters: without queries of addresses, e-mail addresses, ids, tokens and codes.
 * Written for messages of errors; what a person typed does not belong into them in the first place.
 */
export function withoutPersonal(text: string): string {
  let clean = text.slice(0, 4 * MAX);
  for (const [pattern, instead] of rows) clean = clean.replace(pattern, instead);
  return clean.slice(0, MAX);
}
