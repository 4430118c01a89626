/** Parts of names that mean a secret wherever they stand; `key` only as a word, or a keyboard would be one. */
const SECRET_PART = /password|passwd|passphrase|secret|token|credential|apikey|privatekey/;
const SECRET_WORDS: ReadonlySet<string> = new Set(['key', 'keys', 'pin', 'pwd']);

/** The first key, at any depth, whose name says that its value is a secret; as a path such as `steps.0.api_key`. */
export function findSecretKey(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const here = [...path, name];
    if (!Array.isArray(value) && soundsSecret(name)) return here.join('.');
    const inside = findSecretKey(member, here);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function soundsSecret(name: string): boolean {
  if (SECRET_PART.test(name.toLowerCase().replace(/[^a-z]/g, ''))) return true;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => SECRET_WORDS.has(word));
}
