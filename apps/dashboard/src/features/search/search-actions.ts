import type { FilterOperator, FoundEvent, SearchOrder } from '@airdeck/contracts/search/schema';
import { createContext, use } from 'react';

/** What any value or field on the screen leads to. */
export type SearchActions = {
  readonly columns: readonly string[];
  readonly addFilter: (field: string, op: FilterOperator, value?: string) => void;
  readonly toggleColumn: (field: string) => void;
  /** Empty means the usual ones. */
  readonly setColumns: (columns: readonly string[]) => void;
  /** Which events stand first; newest while tailing, whatever the address says. */
  readonly sort: SearchOrder;
  /** Undefined where the order cannot be another one. */
  readonly turnRound: (() => void) | undefined;
  /** Kept above the list while searching goes on, by their ids. */
  readonly pinned: ReadonlySet<string>;
  readonly togglePin: (event: FoundEvent) => void;
  /** Another search for this value in any field, over the same time. */
  readonly searchFor: (query: string) => void;
};

const Context = createContext<SearchActions | undefined>(undefined);

export const SearchActionsProvider = Context;

export function useSearchActions(): SearchActions {
  const actions = use(Context);
  if (actions === undefined) throw new Error('useSearchActions outside of the search');
  return actions;
}
