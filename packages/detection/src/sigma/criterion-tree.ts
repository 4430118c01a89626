import type { Criterion } from '@airdeck/contracts/policies/schema';

/** The most members a list of criteria has on the wire. */
const MAX_MEMBERS = 200;

export function allOf(list: readonly Criterion[]): Criterion {
  return joined(list, 'all');
}

export function anyOf(list: readonly Criterion[]): Criterion {
  return joined(list, 'any');
}

export function notOf(criterion: Criterion): Criterion {
  return 'not' in criterion ? criterion.not : { not: criterion };
}

/** The members of an `all`, or the criterion as the only one: what a policy's list of criteria holds. */
export function conjunctsOf(criterion: Criterion): Criterion[] {
  return 'all' in criterion ? criterion.all : [criterion];
}

/** Without levels that say nothing; a list too long for one level gets a second. */
function joined(list: readonly Criterion[], kind: 'all' | 'any'): Criterion {
  const flat = list.flatMap((one): Criterion[] => {
    if (kind === 'all') return 'all' in one ? one.all : [one];
    return 'any' in one ? one.any : [one];
  });
  const [only] = flat;
  if (flat.length === 1 && only !== undefined) return only;
  const members = flat.length <= MAX_MEMBERS ? flat : chunksOf(flat, MAX_MEMBERS).map((part) => node(part, kind));
  return node(members, kind);
}

function node(members: Criterion[], kind: 'all' | 'any'): Criterion {
  return kind === 'all' ? { all: members } : { any: members };
}

export function chunksOf<Item>(list: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
