import type { RouteId } from '@airdeck/contracts/route-table';

/** An answer that is out. `routeId` is undefined for files, pages and addresses that are none. */
export type Answered = { routeId: RouteId | undefined; status: number; ms: number };
