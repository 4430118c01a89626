import type { SubscriptionState } from '@airdeck/contracts/tenants/schema';
import type { ColumnType, Generated } from 'kysely';

type SetLater<T> = ColumnType<T | null, T | null | undefined, T | null>;

export type MarketplaceSubscriptionTable = {
  /** The marketplace's own id. */
  id: string;
  tenant_id: string;
  opened_by: string;
  /**
   * `opened`: the tenant is there, its plan is held back until the marketplace has heard of it. `active`, `suspended`.
   * `ended`: for good, whatever notice still comes.
   */
  state: SubscriptionState;
  offer_id: string;
  plan_id: string;
  /** Seats; null for plans without. */
  quantity: number | null;
  /** Never to be billed. */
  is_test: boolean;
  /** Until then somebody is calling the marketplace to activate; nobody else does. */
  activating_until: SetLater<Date>;
  /** The kill switch was thrown by a suspension, so that its end releases it. */
  automation_stopped: Generated<boolean>;
  /** When the marketplace decided what counts now: plan, seats, state, term. Older notices change nothing. */
  plan_at: SetLater<Date>;
  quantity_at: SetLater<Date>;
  state_at: SetLater<Date>;
  term_at: SetLater<Date>;
  /** When it was last compared with what the marketplace says of it; not a change of it. */
  looked_at: SetLater<Date>;
  created_at: Date;
  updated_at: Date;
};

/** Operations of the marketplace that were handled, each once. */
export type MarketplaceOperationTable = {
  id: string;
  tenant_id: string;
  action: string;
  outcome: 'applied' | 'outdated' | 'refused' | 'ignored';
  /** What the marketplace has to be told, where it waits for that. */
  answer: 'Success' | 'Failure' | null;
  answered_at: SetLater<Date>;
  handled_at: Date;
};

export type MarketplaceTables = {
  marketplace_subscription: MarketplaceSubscriptionTable;
  marketplace_operation: MarketplaceOperationTable;
};
