type Version = { readonly version: number };

/**
 * The two versions to compare: those of the address as far as they exist, otherwise the newest with the one before it.
 * Undefined while there are fewer than two. `versions` stand newest first.
 */
export function comparedVersions(
  versions: readonly Version[],
  wanted: { from?: number | undefined; to?: number | undefined },
): { from: number; to: number } | undefined {
  const [newest, second] = versions;
  if (newest === undefined || second === undefined) return undefined;
  const known = (number: number | undefined) => versions.find(({ version }) => version === number)?.version;
  const to = known(wanted.to) ?? newest.version;
  const before = versions.find(({ version }) => version < to)?.version ?? second.version;
  return { from: known(wanted.from) ?? before, to };
}
