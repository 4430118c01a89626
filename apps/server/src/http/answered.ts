import type { RouteId } from '@airdeck/contracts/route-table';

/**
 * An answer that is out. `routeId` is `auth` for every call of the built-in sign-in, which is not in the route table, and
 * undefined for files, pages and addresses that are none.
 */
export type Answered = { routeId: RouteId | 'auth' | undefined; status: number; ms: number };
