/**
 * JSON text PostgreSQL accepts as jsonb. It refuses NUL and lone surrogates, which outside data does contain; they become
 * U+FFFD, so that one odd byte cannot make a result unstorable.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return mayHoldRefused.test(text) ? JSON.stringify(withoutRefused(JSON.parse(text))) : text;
}

/** Text of what `jsonText` stores, the same whatever the order of its keys, as PostgreSQL gives them back in one of its own. */
export function orderedJsonText(value: unknown): string {
  const text = inOrder(value);
  return mayHoldRefused.test(text) ? inOrder(JSON.parse(jsonText(value))) : text;
}

function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return inOrder(JSON.parse(JSON.stringify(value)));
  const record = value as Readonly<Record<string, unknown>>;
  let text = '';
  for (const key of Object.keys(record).sort()) {
    if (record[key] !== undefined) text += `${text && ','}${JSON.stringify(key)}:${inOrder(record[key])}`;
  }
  return `{${text}}`;
}

// JSON.stringify escapes NUL and lone surrogates only; an escaped backslash before "u0000" merely costs the slow path.
const mayHoldRefused = /\\u(?:0000|d[89a-f])/i;

function withoutRefused(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(withoutRefused);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), withoutRefused(inner)]));
}

/** Text PostgreSQL accepts. */
export function storableText(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
}

export type JsonCheck =
  | { readonly ok: true; readonly value: unknown; readonly sizeBytes: number }
  | { readonly ok: false; readonly reason: 'not_json' | 'too_large'; readonly message: string };

/** A plain copy of a value that came from outside, or why it cannot be stored. A missing value is null. */
export function toJsonValue(value: unknown, maxBytes: number): JsonCheck {
  let text: string;
  try {
    text = JSON.stringify(value) ?? 'null';
  } catch (error) {
    return { ok: false, reason: 'not_json', message: error instanceof Error ? error.message : 'not JSON' };
  }
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > maxBytes) {
    return { ok: false, reason: 'too_large', message: `${sizeBytes} bytes; at most ${maxBytes} are kept` };
  }
  return { ok: true, value: JSON.parse(text), sizeBytes };
}
