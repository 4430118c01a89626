import type { Case, CaseList } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { useRef } from 'react';
import { t } from '../../language/translate.ts';
import { useAccess } from '../../session/access.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { caseColumns, readOnlyCaseColumns } from './case-columns.tsx';
import listClasses from './case-list.module.css';
import { caseMatching, DEFAULT_SORT, isFiltered } from './case-list-query.ts';
import type { CaseListChange, CaseListSearch } from './case-list-search.ts';
import { SelectionProvider, useSelectKey } from './case-selection.tsx';
import { useHeldRows } from './held-rows.ts';
import { HeldRowsButton } from './held-rows-button.tsx';
import { ListFooter } from './list-footer.tsx';
import { NoCases } from './no-cases.tsx';
import type { Bulk } from './use-bulk.ts';
import { useOpenKey } from './use-open-key.ts';

type Props = {
  search: CaseListSearch;
  list: CaseList;
  /** Older rows are shown while newer ones load. */
  isOld: boolean;
  /** When the list was answered, milliseconds since the epoch. */
  updatedAt: number;
  bulk: Bulk;
  onChange: (part: CaseListChange, replace: boolean) => void;
};

/** The list as a table: choosing, opening, paging; what comes in while it is read waits above it. */
export function CaseTable({ search, list, isOld, updatedAt, bulk, onChange }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const { allowed } = useAccess('airWork');
  useOpenKey(frame);
  useSelectKey(frame);
  const page = search.page ?? 1;
  const sort = search.sort ?? DEFAULT_SORT;
  const matching = caseMatching(search);
  const listKey = JSON.stringify(matching);
  // Rows of the list before this one are no rows of this list.
  const held = useHeldRows<Case>(
    { fresh: list.cases, total: list.total, answeredAt: updatedAt },
    {
      key: isOld ? `${listKey} before` : `${listKey} ${page} ${sort}`,
      newestFirst: page === 1 && sort === DEFAULT_SORT,
    },
  );
  return (
    <SelectionProvider shown={held.rows.map(({ id }) => id)} listKey={listKey}>
      <HeldRowsButton held={held} />
      <BulkBar bulk={bulk} total={list.total} matching={matching} rows={held.rows} />
      <div ref={frame} className={listClasses.list}>
        <DataTable
          label={t('Cases')}
          columns={allowed ? caseColumns : readOnlyCaseColumns}
          rows={held.rows}
          faded={{ ids: held.gone, why: t('Not in this list any more') }}
          rowId={({ id }) => id}
          onOpen={({ id }) => onChange({ case: id }, false)}
          openId={search.case}
          sort={sort}
          onSort={(next) => onChange({ sort: next as CaseListChange['sort'], page: undefined }, true)}
          dimmed={isOld}
          empty={
            <NoCases
              total={list.total}
              filtered={isFiltered(search)}
              onFirstPage={() => onChange({ page: undefined }, true)}
              onClear={() => onChange(noFilters, true)}
            />
          }
          footer={
            <ListFooter
              page={page}
              pageSize={limits.listDefault}
              shown={held.rows.length - held.gone.size}
              total={list.total}
              updatedAt={updatedAt}
              onPage={(next) => onChange({ page: next === 1 ? undefined : next }, false)}
            />
          }
        />
      </div>
    </SelectionProvider>
  );
}

/** Takes everything away that keeps cases out of the list. */
export const noFilters: CaseListChange = {
  q: undefined,
  filters: undefined,
  startTime: undefined,
  endTime: undefined,
  policy: undefined,
  technique: undefined,
  figure: undefined,
  page: undefined,
};
