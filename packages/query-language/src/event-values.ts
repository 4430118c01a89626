/**
 * Values an event holds under a path, read as the store reads them: a dot in a key is the same as an object inside an
 * object; lists on the way are searched in every element that is an object.
 */
export function valuesAt(fields: Readonly<Record<string, unknown>>, path: readonly string[]): unknown[] {
  const found: unknown[] = [];
  collect(fields, path, found);
  return found;
}

function collect(holder: unknown, path: readonly string[], found: unknown[]): void {
  if (path.length === 0) {
    found.push(holder);
    return;
  }
  if (typeof holder !== 'object' || holder === null) return;
  if (Array.isArray(holder)) {
    for (const element of holder) if (!Array.isArray(element)) collect(element, path, found);
    return;
  }
  for (let count = 1; count <= path.length; count++) {
    const key = path.slice(0, count).join('.');
    if (Object.hasOwn(holder, key)) collect((holder as Record<string, unknown>)[key], path.slice(count), found);
  }
}

/** Texts of single values, and of single values in lists: numbers and truth values spelt as in JSON. */
export function textsOfLeaves(values: readonly unknown[]): string[] {
  return values.flat(1).flatMap((value) => textOf(value) ?? []);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  // The store writes exponents without a plus.
  if (typeof value === 'number') return String(value).replace('e+', 'e');
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** Whether there is a value under the path, a list with something in it, or an object with something in it. */
export function isPresentAt(holder: unknown, path: readonly string[]): boolean {
  if (path.length === 0) return Array.isArray(holder) ? holder.some(isSomething) : isSomething(holder);
  if (typeof holder !== 'object' || holder === null) return false;
  if (Array.isArray(holder)) return holder.some((element) => !Array.isArray(element) && isPresentAt(element, path));
  const beneath = `${path.join('.')}.`;
  return Object.entries(holder).some(([key, value]) => {
    if (key.startsWith(beneath)) return isStored(value);
    const parts = key.split('.');
    return parts.every((part, index) => part === path[index]) && isPresentAt(value, path.slice(parts.length));
  });
}

function isSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' ? value !== null && Object.values(value).some(isStored) : value !== undefined;
}

/** Whether the store keeps a path for it: nulls and empty objects leave none, empty lists do. */
function isStored(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return typeof value === 'object' ? value !== null && Object.values(value).some(isStored) : value !== undefined;
}
