/** Below this length a "secret" would blank out ordinary text. */
const MIN_SECRET_LENGTH = 4;

/** Replaces secrets in text that goes to people or logs, in the spellings vendors echo them: plain, URL, base64, JSON. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET_LENGTH) continue;
    spellings.add(secret);
    spellings.add(encodeURIComponent(secret));
    spellings.add(JSON.stringify(secret).slice(1, -1));
    spellings.add(Buffer.from(secret, 'utf8').toString('base64'));
    spellings.add(Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, ''));
    spellings.add(Buffer.from(secret, 'utf8').toString('base64url'));
    spellings.add(Buffer.from(secret, 'utf8').toString('hex'));
  }
  // Longest first: a spelling that contains another one is replaced as a whole.
  const ordered = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((result, spelling) => result.replaceAll(spelling, '[secret]'), text);
}
