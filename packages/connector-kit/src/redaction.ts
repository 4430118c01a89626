/** Below this length a "secret" would blank out ordinary text. */
const MIN_SECRET_LENGTH = 4;
/** As many characters of Base64 are in ordinary text by no accident; a secret of five bytes has them at every offset. */
const MIN_CORE_LENGTH = 6;

/** Replaces secrets in text that goes to people or logs, in the spellings vendors echo them: plain, URL, base64, JSON. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    const bytes = Buffer.from(secret, 'utf8');
    spellings.add(secret);
    spellings.add(encodeURIComponent(secret));
    spellings.add(JSON.stringify(secret).slice(1, -1));
    spellings.add(bytes.toString('base64'));
    spellings.add(bytes.toString('base64').replace(/=+$/, ''));
    spellings.add(bytes.toString('base64url'));
    for (const core of coresOf(bytes)) spellings.add(core);
    spellings.add(bytes.toString('hex'));
  }
  // Some write JSON with every slash escaped.
  for (const spelling of [...spellings]) spellings.add(spelling.replaceAll('/', '\\/'));
  // Longest first: a spelling that contains another one is replaced as a whole.
  const ordered = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((result, spelling) => result.replaceAll(spelling, '[secret]'), text);
}

/**
 * What is left of a secret where it was encoded together with other text, as `Basic base64(user:secret)` does: Base64 takes
 * three bytes at a time, so how much stands before it decides on one of three spellings. Without the characters at both
 * ends that hold bits of a neighbour.
 */
function coresOf(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((before) => {
    const among = Buffer.concat([Buffer.alloc(before), bytes]);
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((among.length * 8) / 6)];
    if (end - start < MIN_CORE_LENGTH) return [];
    return [among.toString('base64').slice(start, end), among.toString('base64url').slice(start, end)];
  });
}
