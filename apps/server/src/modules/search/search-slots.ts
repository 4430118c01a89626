/**
 * How many searches run at once, so that one tenant's dashboards cannot keep the store from the others or from ingestion.
 * Every running search ends by itself: the store bounds it.
 */
import { AppError } from '../../http/app-error.ts';
import { createTenantSlots, type SlotBounds, type TenantSlots } from '../../tenant-slots.ts';

type Bounds = Pick<SlotBounds, 'inAll'> & {
  readonly perTenant: number;
  /** Of one that calls more than its pace allows. */
  readonly overPace: number;
  readonly waitingPerTenant: number;
};

export const searchBounds: Bounds = { perTenant: 4, overPace: 1, inAll: 8, waitingPerTenant: 16 };

/** Throws RATE_LIMITED when the tenant's line is full. */
export type SearchSlots = TenantSlots;

export function createSearchSlots(
  isOverPace: (tenant: string) => boolean,
  { perTenant, overPace, inAll, waitingPerTenant }: Bounds = searchBounds,
): SearchSlots {
  const slotsOf = (tenant: string) => (isOverPace(tenant) ? overPace : perTenant);
  return createTenantSlots({ perTenant: slotsOf, inAll }, { waitingPerTenant, refusal: tooManySearches });
}

export function tooManySearches(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'Too many searches of this tenant are waiting already. Try again shortly.',
    retryAfterS: 2,
  });
}
