/** Roles of a user in a tenant, high to low (spec §6). A missing membership is no role at all, never an implied one. */
export const rolesByRank = { Admin: 4, SystemManager: 3, Analyst: 2, ReadOnly: 1 } as const;

export type Role = keyof typeof rolesByRank;

export const roles = Object.keys(rolesByRank) as readonly Role[];

/** Spellings of spec §6 that are accepted on input and never sent. */
const spokenRoles: Readonly<Record<string, Role>> = { 'System Manager': 'SystemManager', 'Read Only': 'ReadOnly' };

export const roleLabels = {
  Admin: 'Admin',
  SystemManager: 'System Manager',
  Analyst: 'Analyst',
  ReadOnly: 'Read Only',
} as const satisfies Readonly<Record<Role, string>>;

export function hasRole(actual: Role, required: Role): boolean {
  return rolesByRank[actual] >= rolesByRank[required];
}

/** Undefined for anything that is not a role: an unknown role is no access. */
export function parseRole(text: string): Role | undefined {
  if (Object.hasOwn(rolesByRank, text)) return text as Role;
  return Object.hasOwn(spokenRoles, text) ? spokenRoles[text] : undefined;
}
