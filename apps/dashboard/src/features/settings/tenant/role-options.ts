import { type Role, roleLabels, roles } from '@airdeck/contracts/access/roles';
import { known, t } from '../../../language/translate.ts';

export const roleOptions: readonly { value: Role; label: string }[] = roles.map((role) => ({
  value: role,
  label: known(roleLabels[role]),
}));

/** What a role is for, in a line. */
export const roleTexts: Readonly<Record<Role, string>> = {
  Admin: t('Everything, with these settings, users and the audit log.'),
  SystemManager: t('Everything an Analyst may, and sets up integrations and event sources.'),
  Analyst: t('Works on cases, answers questions, builds and runs playbooks and actions.'),
  ReadOnly: t('Looks, and changes nothing.'),
};

export function roleOf(text: string | null): Role | undefined {
  return roles.find((role) => role === text);
}
