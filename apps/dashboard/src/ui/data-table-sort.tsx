import { NativeSelect, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { t } from '../language/translate.ts';
import classes from './data-table.module.css';

type Props = {
  columns: readonly { id: string; label: string }[];
  /** Undefined while the list stands in an order of its own. */
  sort: string | undefined;
  onSort: (sort: string) => void;
};

/** The order of a list on phones, where its heads would fill lines of their own: what by, and which way. */
export function DataTableSort({ columns, sort, onSort }: Props) {
  const by = columns.find(({ id }) => sort === id || sort === `-${id}`)?.id;
  const isRising = by !== undefined && sort === by;
  return (
    <div className={classes.phoneSort}>
      <NativeSelect
        className={classes.sortBy}
        aria-label={t('Sort by')}
        value={by ?? ''}
        data={[
          ...(by === undefined ? [{ value: '', label: t('Sort by') }] : []),
          ...columns.map(({ id, label }) => ({ value: id, label })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') onSort(isRising ? value : `-${value}`);
        }}
      />
      {by === undefined ? null : (
        <UnstyledButton
          className={classes.direction}
          aria-label={isRising ? t('Ascending, turn it around') : t('Descending, turn it around')}
          onClick={() => onSort(isRising ? `-${by}` : by)}
        >
          {isRising ? <IconArrowUp size={16} aria-hidden /> : <IconArrowDown size={16} aria-hidden />}
        </UnstyledButton>
      )}
    </div>
  );
}
