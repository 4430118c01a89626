/**
 * Compares what is here with what the marketplace says: a notice is sent for some hours only, and after a restore what it
 * said since is gone.
 *
 * Subscriptions that stay `opened` come first, from five minutes after they last changed and then every hour: their buyer
 * pressed Activate and may be billed by now. All others that have not ended are looked at once a day. What changed within
 * the hour is left alone: the marketplace says it only once it has our answer.
 *
 * One after the other, few in a run, and the marketplace is asked outside of transactions. What was taken counts as looked
 * at, so one that cannot be read keeps nobody else from their turn; a crash leaves the rest to the next run.
 */
import type { TenantsService } from '../tenants/tenants-port.ts';
import type { Activation } from './activation.ts';
import { findPlan } from './marketplace-plans.ts';
import { type SubscriptionRow, takeDue } from './marketplace-repository.ts';
import { byMarketplace, type TakeOverDependencies, takeOver } from './take-over.ts';

export const COMPARISON_JOB = { kind: 'marketplace.compare', expression: '7,17,27,37,47,57 * * * *' } as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const turns = [
  { isOpened: true, quietMs: 5 * MINUTE_MS, everyMs: HOUR_MS, max: 20 },
  { isOpened: false, quietMs: HOUR_MS, everyMs: 24 * HOUR_MS, max: 50 },
] as const;
/** The marketplace is away then; whoever was not asked about stays due. */
const FAILURES_MAX = 3;

type Dependencies = TakeOverDependencies & {
  activation: Pick<Activation, 'finish'>;
  tenants: Pick<TenantsService, 'get' | 'findMembership'>;
  ids: () => string;
  log: { warn(fields: object, message: string): void };
};

/** Compares what is due, and ends early when `signal` says so. */
export async function compareSubscriptions(deps: Dependencies, signal: AbortSignal): Promise<void> {
  for (const turn of turns) await takeTurn(deps, turn, signal);
}

async function takeTurn(
  deps: Dependencies,
  { isOpened, quietMs, everyMs, max }: (typeof turns)[number],
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  for (let taken = 0; taken < max && failures < FAILURES_MAX && !signal.aborted; taken++) {
    const at = deps.now();
    const due = { isOpened, quietSince: before(at, quietMs), lookedBefore: before(at, everyMs) };
    const row = await deps.db.system((tx) => takeDue(tx, due, at));
    if (row === undefined) return;
    try {
      await compare(deps, row);
    } catch (error) {
      failures++;
      deps.log.warn({ subscription: row.id, error: String(error) }, 'a subscription was not compared');
    }
  }
}

function before(at: Date, ms: number): Date {
  return new Date(at.getTime() - ms);
}

async function compare(deps: Dependencies, row: SubscriptionRow): Promise<void> {
  const requestId = deps.ids();
  const askedAt = deps.now();
  const subscription = await deps.client.findSubscription(row.id, requestId);
  if (subscription === undefined) {
    // The marketplace keeps those that ended, so this is a wrong setting rather than an end.
    deps.log.warn({ subscription: row.id }, 'the marketplace does not know a subscription that is here');
    return;
  }
  const { saasSubscriptionStatus: status, planId: plan } = subscription;
  const isWaiting = status === 'Subscribed' || (status === 'PendingFulfillmentStart' && (await hasBuyer(deps, row)));
  if (row.state !== 'opened' || !isWaiting) {
    await takeOver(deps, { row, askedAt, subscription, requestId });
    return;
  }
  if (findPlan(deps.plans, plan) === undefined) {
    deps.log.warn({ subscription: row.id, plan }, 'a purchase cannot be activated: its plan is not offered');
    return;
  }
  await deps.activation.finish({ row, subscription, by: byMarketplace(requestId) });
}

/** Whoever pressed Activate could do it again: once they have left, nobody begins to pay. */
async function hasBuyer(deps: Dependencies, { opened_by: user, tenant_id: tenant }: SubscriptionRow): Promise<boolean> {
  return (await deps.db.system((tx) => deps.tenants.findMembership(tx, user, tenant))) !== undefined;
}
