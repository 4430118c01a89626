import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole, type Role } from '@airdeck/contracts/access/roles';
import type { Prompt as WirePrompt } from '@airdeck/contracts/activity/schema';
import { approversSchema } from '@airdeck/contracts/playbooks/schema';
import type { Prompt, Run } from '@airdeck/engine/interfaces';
import type { z } from 'zod';
import type { Caller } from '../../http/handlers.ts';
import type { ApprovalRow } from './approvals-repository.ts';
import { readTrigger } from './run-trigger.ts';

export type Viewer = { caller: Caller; role: Role };
type Approvers = z.output<typeof approversSchema>;

type SeenPrompt = {
  prompt: Prompt;
  run: Pick<Run, 'dryRun' | 'trigger'>;
  viewer: Viewer;
  /** Two people answer it. */
  takesTwo: boolean;
  approval: ApprovalRow | undefined;
};

export function promptOnTheWire({ prompt, run, viewer, takesTwo, approval }: SeenPrompt): WirePrompt {
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
    approvers: approversOf(prompt),
    can_answer: prompt.closedAt === null && mayAnswer({ prompt, run }, viewer),
    second_approval: {
      required: takesTwo,
      first: approval
        ? { option: approval.option, username: approval.username, at: approval.approved_at.toISOString() }
        : null,
    },
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

export function approversOf(prompt: Pick<Prompt, 'approvers'>): Approvers {
  return approversSchema.parse(prompt.approvers ?? {});
}

/** The approvers; in a dry run, which changes nothing, also whoever started it. */
export function mayAnswer({ prompt, run }: Pick<SeenPrompt, 'prompt' | 'run'>, { caller, role }: Viewer): boolean {
  const mayAct = hasRole(role, requirements.playbooks.role);
  if (mayAct && run.dryRun && readTrigger(run.trigger).acts_as === caller.userId) return true;
  return isApprover(approversOf(prompt), { username: caller.username, role });
}

/**
 * Named people, or anybody of at least the role; where the playbook says nothing, an Analyst. Nobody who could not answer
 * any playbook's question (spec §6): a name given once outlives the role of whoever has it.
 */
export function isApprover(approvers: Approvers, person: { username: string; role: Role }): boolean {
  if (!hasRole(person.role, requirements.playbooks.role)) return false;
  if (approvers.usernames?.includes(person.username)) return true;
  if (approvers.usernames && approvers.role === undefined) return false;
  return hasRole(person.role, approvers.role ?? 'Analyst');
}
