import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { takenNames } from './policies-repository.ts';

const MAX_NAME = 200;
/** Looked up in advance; behind that names are numbered on without looking, which nobody reaches. */
const NUMBERS_TRIED = 50;

/**
 * The names, in their order, with a number behind those that a policy or an earlier one of them has. `except` is a policy
 * whose own name is free to it.
 */
export async function freeNames(
  tx: Tx,
  scope: TenantScope,
  names: readonly string[],
  except?: string,
): Promise<string[]> {
  if (names.length === 0) return [];
  const but = except === undefined ? {} : { except };
  const taken = new Set(await takenNames(tx, scope, { names: names.map((name) => name.toLowerCase()), ...but }));
  const seen = new Set<string>();
  const twice = names.filter((name) => {
    const isAgain = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return isAgain;
  });
  const clashing = [...names.filter((name) => taken.has(name.toLowerCase())), ...twice];
  const numberedNames = clashing.flatMap((name) =>
    Array.from({ length: NUMBERS_TRIED }, (_, index) => numbered(name, index + 2).toLowerCase()),
  );
  for (const name of await takenNames(tx, scope, { names: [...new Set(numberedNames)], ...but })) taken.add(name);
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = numbered(name, number);
    taken.add(free.toLowerCase());
    return free;
  });
}

/** Whether a name is this one, or this one with a number behind it. */
export function isNamedAfter(name: string, wanted: string): boolean {
  const number = / \((\d+)\)$/.exec(name)?.[1];
  return name === wanted || (number !== undefined && name === numbered(wanted, Number(number)));
}

function numbered(name: string, number: number): string {
  const suffix = ` (${number})`;
  return `${name.slice(0, MAX_NAME - suffix.length).trimEnd()}${suffix}`;
}
