/**
 * The table of known weaknesses in `security/advisories.csv`: what was found on the day it was looked at, for the packages of
 * the lockfile. It is no feed. `tools/checks/advisories.test.ts` holds the lockfile against it, `npm run supply` asks the
 * registry for what is newer.
 */

export type Advisory = {
  readonly name: string;
  /** `<1.2.3`, `>=1.0.0 <1.2.3`, several with `||`. */
  readonly affected: string;
  readonly advisory: string;
  readonly ours: readonly string[];
  readonly verdict: string;
  readonly lookedAt: string;
};

export const ADVISORY_HEAD = 'package,affected,advisory,ours,verdict,looked_at';
/** Days. docs/security.md says the same. */
export const LOOK_AGAIN_AFTER_DAYS = 30;

export function readAdvisories(text: string): Advisory[] {
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.map((line) => {
    const [name = '', affected = '', advisory = '', ours = '', verdict = '', lookedAt = '', ...more] = line.split(',');
    if (more.length > 0) throw new Error(`${line}: has more than six cells`);
    return { name, affected, advisory, ours: ours.split(' '), verdict, lookedAt };
  });
}

/** Every version of each package the lockfile holds, by name. */
export function lockedVersions(
  packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>,
): ReadonlyMap<string, readonly string[]> {
  const versions = new Map<string, string[]>();
  for (const [path, { version, link }] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || link === true || version === undefined) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const known = versions.get(name) ?? [];
    if (!known.includes(version)) versions.set(name, [...known, version].sort(compareVersions));
  }
  return versions;
}

/** A version before a release counts as that release: rather one weakness too many. Throws for what is no range. */
export function isWithin(version: string, range: string): boolean {
  return range.split(' || ').some((part) => part.split(' ').every((bound) => isOnSide(version, bound)));
}

function isOnSide(version: string, bound: string): boolean {
  const [, side = '', limit = ''] = /^(<=?|>=?|=)(\d+\.\d+\.\d+)$/.exec(bound) ?? [];
  const order = compareVersions(version, limit);
  switch (side) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '=':
      return order === 0;
    default:
      throw new Error(`"${bound}" is no bound of a version`);
  }
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return (version.split(/[-+]/)[0] ?? '').split('.').map(Number);
}

/** What is wrong with a row, as a person reads it; nothing where it is true and we are outside. */
export function advisoryProblems(
  { name, affected, advisory, ours, verdict }: Advisory,
  locked: ReadonlyMap<string, readonly string[]>,
): string[] {
  const versions = locked.get(name);
  if (versions === undefined) return [`${name}: is not in the lockfile any more; take its rows out`];
  const within = versions.filter((version) => isWithin(version, affected));
  if (within.length > 0) return within.map((version) => `${name}@${version} is affected by ${advisory} (${affected})`);
  if (versions.join(' ') !== ours.join(' ')) {
    return [`${name}: is ${versions.join(' ')} now, the row of ${advisory} says ${ours.join(' ')}; look it up again`];
  }
  return verdict === 'outside' ? [] : [`${name}: "${verdict}" is no verdict; there is "outside"`];
}

/** Whole days since the oldest look. */
export function daysSinceLooked(advisories: readonly Advisory[], now: Date): number {
  const oldest = Math.min(...advisories.map(({ lookedAt }) => Date.parse(`${lookedAt}T00:00:00Z`)));
  return Math.floor((now.getTime() - oldest) / 86_400_000);
}
