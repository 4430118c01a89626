/**
 * How many searches run at once, so that one tenant's dashboards cannot keep the store from the others or from ingestion.
 * Every running search ends by itself: the store bounds it.
 */
import { AppError } from '../../http/app-error.ts';
import { createTenantSlots, type SlotBounds, type TenantSlots } from '../../tenant-slots.ts';

type Bounds = SlotBounds & { readonly waitingPerTenant: number };

export const searchBounds: Bounds = { perTenant: 4, inAll: 8, waitingPerTenant: 16 };

/** Throws RATE_LIMITED when the tenant's line is full. */
export type SearchSlots = TenantSlots;

export function createSearchSlots({ waitingPerTenant, ...bounds }: Bounds = searchBounds): SearchSlots {
  return createTenantSlots(bounds, { waitingPerTenant, refusal: tooManySearches });
}

export function tooManySearches(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'Too many searches of this tenant are waiting already. Try again shortly.',
    retryAfterS: 2,
  });
}
