import type { SavedSearchInput, SearchOrder } from '@airdeck/contracts/search/schema';
import type { ColumnType } from 'kysely';

export type SearchTables = {
  saved_search: {
    id: string;
    tenant_id: string;
    owner_id: string;
    name: string;
    shared: boolean;
    criteria: ColumnType<SavedSearchInput['criteria'], string, string>;
    time_range: ColumnType<SavedSearchInput['time_range'], string, string>;
    sort: SearchOrder;
    columns: ColumnType<string[], string, string>;
    created_at: Date;
    updated_at: Date;
  };
};
