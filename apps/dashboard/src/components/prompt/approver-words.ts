import { type Role, roleLabels } from '@airdeck/contracts/access/roles';
import type { Prompt } from '@airdeck/contracts/activity/schema';
import { known, t } from '../../language/translate.ts';

/** Where a playbook says nothing, an Analyst may answer (spec §6). */
const DEFAULT_ROLE: Role = 'Analyst';

/** Who may answer a question, as "Analyst and above" or by name. */
export function approverWords({ role, usernames }: Prompt['approvers']): string {
  const byRole = role ?? (usernames === undefined ? DEFAULT_ROLE : undefined);
  const words = [
    ...(byRole === undefined
      ? []
      : [
          byRole === 'Admin' ? known(roleLabels.Admin) : t('{byRole} and above', { byRole: known(roleLabels[byRole]) }),
        ]),
    ...(usernames ?? []),
  ];
  return words.join(', ');
}
