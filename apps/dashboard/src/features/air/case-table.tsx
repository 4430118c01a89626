import type { Case, CaseList } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useRef } from 'react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { useAccess } from '../../session/access.ts';
import { DataTable } from '../../ui/data-table.tsx';
import classes from './bulk.module.css';
import { BulkBar } from './bulk-bar.tsx';
import { caseColumns, readOnlyCaseColumns } from './case-columns.tsx';
import listClasses from './case-list.module.css';
import {
  type CaseListChange,
  type CaseListSearch,
  caseMatching,
  DEFAULT_SORT,
  isFiltered,
} from './case-list-search.ts';
import { SelectionProvider, useSelectKey } from './case-selection.tsx';
import { useHeldRows } from './held-rows.ts';
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

/** The list as a table: choosing, opening, paging; what opens while it is read waits above it. */
export function CaseTable({ search, list, isOld, updatedAt, bulk, onChange }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const { allowed } = useAccess('airWork');
  useOpenKey(frame);
  useSelectKey(frame);
  const page = search.page ?? 1;
  const sort = search.sort ?? DEFAULT_SORT;
  const matching = caseMatching(search);
  const listKey = JSON.stringify(matching);
  const isNewestFirst = page === 1 && sort === '-time_opened';
  // Rows of the list before this one are no rows of this list.
  const held = useHeldRows<Case>(list.cases, {
    key: isOld ? `${listKey} before` : `${listKey} ${page} ${sort}`,
    holds: isNewestFirst,
  });
  return (
    <SelectionProvider shown={held.rows.map(({ id }) => id)} listKey={listKey}>
      {held.newer === 0 ? null : (
        <div className={classes.newer} aria-live="polite">
          <Button variant="default" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={held.show}>
            {plural(held.newer, '{count} new case', '{count} new cases')}
          </Button>
        </div>
      )}
      <BulkBar bulk={bulk} total={list.total} matching={matching} rows={held.rows} />
      <div ref={frame} className={listClasses.list}>
        <DataTable
          label={t('Cases')}
          columns={allowed ? caseColumns : readOnlyCaseColumns}
          rows={held.rows}
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
              shown={held.rows.length}
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
  figure: undefined,
  page: undefined,
};
