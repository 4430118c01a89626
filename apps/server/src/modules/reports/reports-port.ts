import type { SearchSelection } from '@airdeck/contracts/search/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** A search as the event store is asked for it: a condition over `events` with bound values, and when. */
export type EventCondition = {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** As far back as the plan lets anybody search; the end is not part of it. */
  readonly range: { readonly start: Date; readonly end: Date };
  /** More was asked for than the plan reaches. */
  readonly cutByPlan: boolean;
};

/** How a search is written for the store; throws QUERY_INVALID for one that cannot be. */
export type ConditionOf = (
  search: SearchSelection,
  options: {
    /** What `now` means in the query. */
    now: Date;
    searchLengthDays: number;
    /** From when the days of the plan are counted back; `now` where left out. */
    reachFrom?: Date;
    /** Where the search is in the request, for the paths of problems. */
    at?: string;
  },
) => EventCondition;

/** Whether the tenant's plan has search, and how far back. */
export type SearchPlan = (tx: Tx, scope: TenantScope) => Promise<{ enabled: boolean; searchLengthDays: number }>;
