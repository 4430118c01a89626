/** Path of a child in the form people paste into queries: `$.host.name`, `$.list[0]`, `$["odd key"]`. */
export function childPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** Children of an object or list in order; none for anything else. */
export function childrenOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((child, index) => [index, child]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Paths whose key or plain value contains the text, with those above them so that they can be reached. */
export function matchingPaths(value: unknown, text: string): { paths: ReadonlySet<string>; matches: number } {
  const wanted = text.toLowerCase();
  const paths = new Set<string>();
  let matches = 0;

  function visit(node: unknown, key: string | number | undefined, path: string): boolean {
    const children = childrenOf(node);
    const isLeaf = typeof node !== 'object' || node === null;
    const hit =
      (typeof key === 'string' && key.toLowerCase().includes(wanted)) ||
      (isLeaf && String(node).toLowerCase().includes(wanted));
    if (hit) matches += 1;
    // Every child is visited, also after a hit, so that the count is right.
    const below = children.map(([childKey, child]) => visit(child, childKey, childPath(path, childKey))).includes(true);
    if (hit || below) paths.add(path);
    return hit || below;
  }

  visit(value, undefined, '$');
  return { paths, matches };
}

/** Whether there are at least so many plain values, at any depth; stops looking once there are. */
export function hasLeaves(value: unknown, atLeast: number): boolean {
  let left = atLeast;
  function visit(node: unknown): void {
    if (left <= 0) return;
    if (typeof node !== 'object' || node === null) left -= 1;
    else for (const [, child] of childrenOf(node)) visit(child);
  }
  visit(value);
  return left <= 0;
}
