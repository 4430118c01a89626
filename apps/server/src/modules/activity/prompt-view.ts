import { hasRole, type Role } from '@airdeck/contracts/access/roles';
import type { Prompt as WirePrompt } from '@airdeck/contracts/activity/schema';
import { approversSchema } from '@airdeck/contracts/playbooks/schema';
import type { Prompt } from '@airdeck/engine/interfaces';
import type { z } from 'zod';
import type { Caller } from '../../http/handlers.ts';

export function promptOnTheWire(prompt: Prompt, caller: Caller, role: Role): WirePrompt {
  const approvers = approversSchema.parse(prompt.approvers ?? {});
  const { answered } = prompt;
  return {
    id: prompt.id,
    run_id: prompt.runId,
    action_id: prompt.actionId,
    message: prompt.message,
    options: prompt.options.map(({ value, label, style }) => ({ value, label, style: promptStyle(style) })),
    asked_at: prompt.askedAt.toISOString(),
    expires_at: prompt.expiresAt?.toISOString() ?? null,
    default_option: prompt.defaultOption,
    approvers,
    can_answer: prompt.closedAt === null && mayAnswer(approvers, caller, role),
    answered: answered && {
      option: answered.option,
      username: answered.username ?? 'system',
      at: answered.at.toISOString(),
      comment: answered.comment,
    },
  };
}

function promptStyle(style: string | undefined): 'primary' | 'danger' | 'default' {
  return style === 'primary' || style === 'danger' ? style : 'default';
}

/** Named people, or anybody of at least the role; where the playbook says nothing, an Analyst (spec §6). */
export function mayAnswer(approvers: z.output<typeof approversSchema>, caller: Caller, role: Role): boolean {
  if (approvers.usernames?.includes(caller.username)) return true;
  if (approvers.usernames && approvers.role === undefined) return false;
  return hasRole(role, approvers.role ?? 'Analyst');
}
