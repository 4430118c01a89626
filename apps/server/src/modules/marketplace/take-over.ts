import type { Database } from '../../storage/database.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import type { MarketplaceClient } from './marketplace-client.ts';
import { changeSubscription, lockSubscription, type SubscriptionRow } from './marketplace-repository.ts';
import { type EffectDependencies, resync } from './notice-effects.ts';

export type TakeOverDependencies = EffectDependencies & {
  db: Pick<Database, 'system'>;
  client: Pick<MarketplaceClient, 'findSubscription'>;
  audit: Pick<AuditLog, 'record'>;
};

type Answer = NonNullable<Awaited<ReturnType<MarketplaceClient['findSubscription']>>>;

type TakingOver = {
  /** As it was before the marketplace was asked. */
  row: SubscriptionRow;
  askedAt: Date;
  subscription: Answer;
  requestId: string;
  /** For the audit record. */
  data?: Record<string, unknown>;
};

/** What the marketplace says of a subscription counts. Not where the row changed since it was asked: that may be newer. */
export async function takeOver(deps: TakeOverDependencies, asked: TakingOver): Promise<void> {
  const { subscription, askedAt, requestId } = asked;
  const { id, updated_at: knownAt } = asked.row;
  await deps.db.system(async (tx) => {
    const row = await lockSubscription(tx, id);
    if (row === undefined || row.state === 'ended' || row.updated_at.getTime() !== knownAt.getTime()) return;
    const by = byMarketplace(requestId);
    const { change, data } = await resync(deps, tx, { row, subscription, askedAt, by });
    if (change === undefined) return;
    await changeSubscription(tx, id, { ...change, updated_at: deps.now() });
    await deps.audit.record(tx, {
      tenant: row.tenant_id,
      actor: by.actor,
      action: 'marketplace.take_over',
      target: { kind: 'marketplace_subscription', id },
      outcome: 'ok',
      data: { ...asked.data, ...data },
      request_id: requestId,
    });
  });
}

export function byMarketplace(requestId: string): ChangedBy {
  return { actor: { kind: 'system', id: null, name: 'Azure Marketplace' }, requestId };
}
