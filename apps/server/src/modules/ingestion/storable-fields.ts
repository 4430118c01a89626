/** JavaScript writes numbers below 1e21 digit by digit, but beyond 64 bits the store refuses the whole insert. */
const LARGEST = 9.2e18;
const SMALLEST_EXPONENT = 1e21;

/**
 * Fields in a form the store's JSON column takes. It treats `a.b` and `{ a: { b } }` as one path and refuses a record that
 * has both, and with it every other record of the insert; the literal name then gets underscores. Returns the very object
 * when there is nothing to change, which is nearly always.
 */
export function storableFields(fields: Record<string, unknown>): Record<string, unknown> {
  return needsChange(fields) ? (changed(fields) as Record<string, unknown>) : fields;
}

function needsChange(value: object): boolean {
  const dotted: string[] = [];
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === 'number') {
      if (isBeyondRange(inner)) return true;
    } else if (typeof inner === 'object' && inner !== null) {
      if (needsChange(inner)) return true;
    }
    if (key.includes('.')) dotted.push(key);
  }
  return dotted.length > 1 || (dotted.length === 1 && hasPrefix(value, dotted[0] ?? ''));
}

function isBeyondRange(value: number): boolean {
  const size = Math.abs(value);
  return size > LARGEST && size < SMALLEST_EXPONENT;
}

function hasPrefix(value: object, dotted: string): boolean {
  return Object.hasOwn(value, dotted.slice(0, dotted.indexOf('.')));
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return isBeyondRange(value) ? String(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(changed);
  const entries = Object.entries(value);
  const plain = new Set(entries.map(([key]) => key).filter((key) => !key.includes('.')));
  return Object.fromEntries(
    entries.map(([key, inner]) => [clashes(key, entries, plain) ? freeName(key, value) : key, changed(inner)]),
  );
}

function clashes(key: string, entries: readonly (readonly [string, unknown])[], plain: ReadonlySet<string>): boolean {
  if (!key.includes('.')) return false;
  if (plain.has(key.slice(0, key.indexOf('.')))) return true;
  return entries.some(([other]) => other !== key && (other.startsWith(`${key}.`) || key.startsWith(`${other}.`)));
}

function freeName(key: string, siblings: object): string {
  let name = key.replaceAll('.', '_');
  while (Object.hasOwn(siblings, name)) name = `${name}_`;
  return name;
}
