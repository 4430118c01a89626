import { type Role, roleLabels, roles } from '@airdeck/contracts/access/roles';

export const roleOptions: readonly { value: Role; label: string }[] = roles.map((role) => ({
  value: role,
  label: roleLabels[role],
}));

/** What a role is for, in a line. */
export const roleTexts: Readonly<Record<Role, string>> = {
  Admin: 'Everything, with these settings, users and the audit log.',
  SystemManager: 'Everything an Analyst may, and sets up integrations and event sources.',
  Analyst: 'Works on cases, answers questions, builds and runs playbooks and actions.',
  ReadOnly: 'Looks, and changes nothing.',
};

export function roleOf(text: string | null): Role | undefined {
  return roles.find((role) => role === text);
}
