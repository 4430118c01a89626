import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactTable } from '@tanstack/react-table';
import classes from './data-table.module.css';
import type { dataTableFeatures } from './data-table-columns.ts';

type Props<Row extends object> = {
  table: ReactTable<typeof dataTableFeatures, Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
};

/** Header cells; a sortable one is a button that turns the order around. */
export function DataTableHead<Row extends object>({ table, sort, onSort }: Props<Row>) {
  const isSorted = ({ enableSorting }: { enableSorting?: boolean }) => enableSorting === true && onSort !== undefined;
  const hasTools = table
    .getAllLeafColumns()
    .some(({ columnDef }) => isSorted(columnDef) || columnDef.meta?.tool === true);
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
                data-tool={sorts || meta?.tool}
                aria-sort={direction}
                style={meta?.width === undefined ? undefined : { width: meta.width }}
              >
                {sorts ? (
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
        </tr>
      ))}
    </thead>
  );
}

function directionOf(sort: string | undefined, id: string): 'ascending' | 'descending' | undefined {
  if (sort === id) return 'ascending';
  return sort === `-${id}` ? 'descending' : undefined;
}
