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
  const clashing = clashingNames(Object.keys(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.includes('.') && clashing.has(key) ? freeName(key, value) : key,
      changed(inner),
    ]),
  );
}

/** Names that lie above or below another: `a` and `a.b`. */
function clashingNames(names: readonly string[]): ReadonlySet<string> {
  const known = new Set(names);
  // A name may be nothing but dots: only beginnings as long as some name are looked up.
  const lengths = new Set(names.map((name) => name.length));
  const clashing = new Set<string>();
  for (const name of names) {
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      const above = lengths.has(dot) ? name.slice(0, dot) : undefined;
      if (above !== undefined && known.has(above)) clashing.add(above).add(name);
    }
  }
  return clashing;
}

function freeName(key: string, siblings: object): string {
  let name = key.replaceAll('.', '_');
  while (Object.hasOwn(siblings, name)) name = `${name}_`;
  return name;
}
