import type { PromptOption } from '@airdeck/engine/definition';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { QuestionNotices } from '../notifications/notifications-port.ts';

/**
 * Somebody answers no question of these tenants from now on. Where nobody else named could answer an open one either, its
 * Admins hear of it when the transaction commits. Needs a system transaction.
 */
export type ApproverLeft = (tx: Tx, username: string, tenants: readonly string[]) => Promise<void>;

type OpenQuestion = {
  id: string;
  tenant: string;
  runId: string;
  runName: string;
  message: string;
  options: readonly PromptOption[];
  usernames: readonly string[];
  expiresAt: Date | null;
};

export function createApproverLeft({ notices }: { notices: Pick<QuestionNotices, 'tell'> }): ApproverLeft {
  return async (tx, username, tenants) => {
    if (tenants.length === 0) return;
    for (const { id: promptId, usernames, ...question } of await questionsNaming(tx, username, tenants)) {
      const approvers = { usernames };
      await notices.tell(tx, { kind: 'prompt_waiting', ...question, promptId, approvers, isAskedBefore: true });
    }
  };
}

/**
 * Open ones that people are asked by name only; in the order of their ids, since telling holds what is told. In a dry run
 * nobody is told.
 */
async function questionsNaming(tx: Tx, username: string, tenants: readonly string[]): Promise<OpenQuestion[]> {
  const { rows } = await sql<OpenQuestion>`
    select p.id, p.tenant_id as tenant, p.run_id as "runId", r.name as "runName", p.message, p.options,
      p.approvers -> 'usernames' as usernames, p.expires_at as "expiresAt"
    from engine.prompt p join engine.run r on r.id = p.run_id and r.tenant_id = p.tenant_id
    where p.tenant_id = any(${[...tenants]}::uuid[]) and p.closed_at is null and not r.dry_run
      and p.approvers ->> 'role' is null and p.approvers -> 'usernames' ? ${username}
    order by p.id`.execute(tx);
  return rows;
}
