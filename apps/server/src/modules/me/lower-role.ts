import { hasRole, type Role } from '@airdeck/contracts/access/roles';

/** The one that allows less. */
export function lowerRole(a: Role, b: Role): Role {
  return hasRole(a, b) ? b : a;
}
