import { hasRole, type Role, roleLabels } from '@airdeck/contracts/access/roles';
import type { Prompt } from '@airdeck/contracts/activity/schema';

/** Why somebody may not answer a question; undefined when they may. The server decides, this only explains. */
export function approvalRefusal(
  approvers: Prompt['approvers'],
  reader: { role: Role; username: string },
): string | undefined {
  if (approvers.role !== undefined && !hasRole(reader.role, approvers.role)) {
    return `Only ${roleLabels[approvers.role]} and above may answer.`;
  }
  if (approvers.usernames !== undefined && !approvers.usernames.includes(reader.username)) {
    return `Only ${approvers.usernames.join(', ')} may answer.`;
  }
  return undefined;
}
