import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactTable } from '@tanstack/react-table';
import classes from './data-table.module.css';
import type { dataTableFeatures } from './data-table-columns.ts';
import { DataTableSort } from './data-table-sort.tsx';
import { useIsPhone } from './use-is-phone.ts';

type Props<Row extends object> = {
  table: ReactTable<typeof dataTableFeatures, Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
};

/** Header cells; a sortable one is a button that turns the order around. Phones have one select for all of them. */
export function DataTableHead<Row extends object>({ table, sort, onSort }: Props<Row>) {
  const isSorted = ({ enableSorting }: { enableSorting?: boolean }) => enableSorting === true && onSort !== undefined;
  // There the select is what sorts, and a head is a name that is heard alone.
  const isPhone = useIsPhone();
  const columns = table.getAllLeafColumns();
  const sorted = columns
    .filter(({ columnDef }) => isSorted(columnDef))
    .map(({ id, columnDef: { header } }) => ({ id, label: typeof header === 'string' ? header : id }));
  const hasTools = sorted.length > 0 || columns.some(({ columnDef }) => columnDef.meta?.tool === true);
  return (
    <thead className={classes.head} data-tools={hasTools || undefined}>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map((header) => {
            const { columnDef } = header.column;
            const { meta } = columnDef;
            const sorts = isSorted(columnDef);
            const direction = directionOf(sort, header.id);
            const content = header.isPlaceholder ? null : <table.FlexRender header={header} />;
            return (
              <th
                key={header.id}
                scope="col"
                data-align={meta?.align}
                data-tool={meta?.tool}
                data-yields={meta?.yields}
                aria-sort={direction}
                style={meta?.width === undefined ? undefined : { width: meta.width }}
              >
                {sorts && !isPhone ? (
                  <UnstyledButton
                    className={classes.sort}
                    onClick={() => onSort?.(direction === 'descending' ? header.id : `-${header.id}`)}
                  >
                    {content}
                    {direction === undefined ? null : direction === 'ascending' ? (
                      <IconArrowUp size={14} aria-hidden />
                    ) : (
                      <IconArrowDown size={14} aria-hidden />
                    )}
                  </UnstyledButton>
                ) : (
                  content
                )}
              </th>
            );
          })}
          {!isPhone || sorted.length === 0 || onSort === undefined ? null : (
            <td className={classes.sortCell}>
              <DataTableSort columns={sorted} sort={sort} onSort={onSort} />
            </td>
          )}
        </tr>
      ))}
    </thead>
  );
}

function directionOf(sort: string | undefined, id: string): 'ascending' | 'descending' | undefined {
  if (sort === id) return 'ascending';
  return sort === `-${id}` ? 'descending' : undefined;
}
