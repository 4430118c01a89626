import type { ErrorCode } from '@airdeck/contracts/error-codes';
import type { RouteId } from '@airdeck/contracts/route-table';

/**
 * An answer that is out. `routeId` is `auth` for every call of the built-in sign-in, which is not in the route table, and
 * undefined for files, pages and addresses that are none. `code` is that of an answer that is an error;
 * `isOurs` says of one that speaks of somebody else's service that it was us all the same.
 */
export type Answered = {
  routeId: RouteId | 'auth' | undefined;
  status: number;
  code?: ErrorCode | undefined;
  isOurs?: boolean | undefined;
  ms: number;
};
