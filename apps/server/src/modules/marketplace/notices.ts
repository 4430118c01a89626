/**
 * Notices of the marketplace. A notice only says where to look: what counts is the operation as the marketplace answers
 * it when asked.
 *
 * | Action | Changes | Waits for our answer |
 * |---|---|---|
 * | ChangePlan | plan; refused for a plan that is not offered | yes |
 * | ChangeQuantity | seats | yes |
 * | Suspend | state: search and managed detection out of the plan, automation stopped; people keep reading | no |
 * | Reinstate | state: the plan again, and automation where the suspension stopped it | yes |
 * | Unsubscribe | state: like Suspend, for good | no |
 * | Renew | dates of the contract | no |
 * | any other | nothing | no |
 *
 * What always holds: effect, audit record and the note that the operation was handled are one transaction under the lock
 * of the subscription, so an operation has its effect once, whatever number of notices come. Notices come in any order:
 * one that is older than what decided the same thing changes nothing. 2xx is answered only after the commit and, where
 * the marketplace waits, after it took our answer; until then it repeats the notice, and only the answer is sent again.
 * A crash between commit and answer is therefore made good by the next notice, and a notice that never comes by the
 * comparison (comparison.ts).
 */

import { idSchema } from '@airdeck/contracts/fields';
import type { PlanTable } from '@airdeck/contracts/marketplace/schema';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import type { MarketplaceOperation, MarketplaceSubscription } from './marketplace-answers.ts';
import type { MarketplaceClient } from './marketplace-client.ts';
import {
  changeSubscription,
  findOperation,
  findSubscription,
  insertOperation,
  lockSubscription,
  noteAnswered,
  type OperationRow,
  type SubscriptionRow,
} from './marketplace-repository.ts';
import { type Effect, type EffectDependencies, effects, isKnownAction } from './notice-effects.ts';
import { byMarketplace, takeOver } from './take-over.ts';

export type NoticesDependencies = EffectDependencies & {
  db: Pick<Database, 'system'>;
  client: Pick<MarketplaceClient, 'findOperation' | 'findSubscription' | 'answerOperation'>;
  audit: Pick<AuditLog, 'record'>;
  plans: PlanTable;
  log: { warn(fields: object, message: string): void };
};

export type Notice = { subscription: string; operation: string; requestId: string };

/** Resolves when the notice need not come again. Throws NOT_FOUND for what the marketplace knows nothing of. */
export type HandleNotice = (notice: Notice) => Promise<void>;

export function createNotices(deps: NoticesDependencies): HandleNotice {
  const underWay = new Map<string, Promise<void>>();
  return (given) => {
    const notice = { ...given, subscription: idOf(given.subscription), operation: idOf(given.operation) };
    const going = underWay.get(notice.operation);
    if (going !== undefined) return going;
    const work = handle(deps, notice).finally(() => underWay.delete(notice.operation));
    underWay.set(notice.operation, work);
    return work;
  };
}

/** Anything that is no id is an operation that does not exist. */
function idOf(text: string): string {
  const id = idSchema.safeParse(text.toLowerCase());
  if (!id.success) throw new AppError('NOT_FOUND');
  return id.data;
}

async function handle(deps: NoticesDependencies, notice: Notice): Promise<void> {
  const before = await deps.db.system((tx) => findOperation(tx, notice.operation));
  const handled = before ?? (await handleFirst(deps, notice));
  if (handled === undefined || handled.answer === null || handled.answered_at !== null) return;
  const { subscription, operation, requestId } = notice;
  const told = await deps.client.answerOperation({ subscription, operation, status: handled.answer }, requestId);
  if (told === 'conflict') await wentAnotherWay(deps, notice);
  await deps.db.system((tx) => noteAnswered(tx, operation, deps.now()));
}

async function handleFirst(deps: NoticesDependencies, notice: Notice): Promise<OperationRow | undefined> {
  const { subscription: id, requestId } = notice;
  const operation = await deps.client.findOperation({ subscription: id, operation: notice.operation }, requestId);
  if (operation === undefined || operation.id !== notice.operation || operation.subscriptionId !== id) {
    throw new AppError('NOT_FOUND');
  }
  // Only the subscription says how long its new term is.
  const term = operation.action === 'Renew' ? (await deps.client.findSubscription(id, requestId))?.term : undefined;
  return await deps.db.system(async (tx) => {
    const row = await lockSubscription(tx, id);
    if (row === undefined) {
      deps.log.warn({ subscription: id, action: operation.action }, 'a notice about a purchase nobody activated here');
      return undefined;
    }
    return (await findOperation(tx, operation.id)) ?? (await apply(deps, tx, { row, operation, term, requestId }));
  });
}

type Applying = {
  row: SubscriptionRow;
  operation: MarketplaceOperation;
  term: MarketplaceSubscription['term'] | undefined;
  requestId: string;
};

async function apply(deps: NoticesDependencies, tx: Tx, applying: Applying): Promise<OperationRow> {
  const { row, operation, requestId } = applying;
  const by = byMarketplace(requestId);
  const { outcome, data, change, waits } = await effectOf(deps, tx, applying, by);
  const at = deps.now();
  if (change !== undefined) await changeSubscription(tx, row.id, { ...change, updated_at: at });
  const isPending = operation.status === 'InProgress' || operation.status === 'NotStarted';
  const handled = await insertOperation(tx, {
    ...{ id: operation.id, tenant_id: row.tenant_id, action: operation.action, outcome },
    ...{ answer: waits && isPending ? (outcome === 'applied' ? 'Success' : 'Failure') : null, handled_at: at },
  });
  await deps.audit.record(tx, {
    tenant: row.tenant_id,
    actor: by.actor,
    action: isKnownAction(operation.action) ? effects[operation.action].audited : 'marketplace.notice',
    target: { kind: 'marketplace_subscription', id: row.id },
    outcome: outcome === 'refused' ? 'refused' : 'ok',
    data: { operation: operation.id, outcome, ...data },
    request_id: requestId,
  });
  return handled;
}

type Decided = Effect & { waits: boolean };

async function effectOf(
  deps: NoticesDependencies,
  tx: Tx,
  { row, operation, term }: Applying,
  by: ChangedBy,
): Promise<Decided> {
  const { action, status } = operation;
  if (!isKnownAction(action)) return { outcome: 'ignored', data: { action }, waits: false };
  const { decides, waits, take } = effects[action];
  if (status === 'Failed' || status === 'Conflict') return { outcome: 'ignored', data: { status }, waits: false };
  if (row.state === 'ended') return { outcome: 'ignored', data: {}, waits };
  const at = operation.timeStamp ?? deps.now();
  const decidedAt = row[decides];
  if (decidedAt !== null && at < decidedAt) return { outcome: 'outdated', data: {}, waits };
  const effect = await take(deps, tx, { row, operation, term, by });
  if (effect.outcome !== 'applied') return { ...effect, waits };
  return { ...effect, change: { ...effect.change, [decides]: at }, waits };
}

/** The marketplace went another way than we answered: what it says of the subscription now counts. */
async function wentAnotherWay(
  deps: NoticesDependencies,
  { subscription: id, operation, requestId }: Notice,
): Promise<void> {
  const row = await deps.db.system((tx) => findSubscription(tx, id));
  const askedAt = deps.now();
  const subscription = await deps.client.findSubscription(id, requestId);
  if (row === undefined || subscription === undefined) return;
  await takeOver(deps, { row, askedAt, subscription, requestId, data: { operation } });
}
