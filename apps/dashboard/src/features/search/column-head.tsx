import { Menu, UnstyledButton } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconSortAscending, IconSortDescending, IconX } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';
import classes from './result-list.module.css';
import { useSearchActions } from './search-actions.ts';

/** Name of a column, and what can be done with it. */
export function ColumnHead({ name }: { name: string }) {
  const { columns, setColumns } = useSearchActions();
  const at = columns.indexOf(name);
  const move = (to: number) => setColumns(columns.filter((each) => each !== name).toSpliced(to, 0, name));
  return (
    <Menu position="bottom-start" width={180}>
      <Menu.Target>
        <UnstyledButton className={classes.column} title={name}>
          {name}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconArrowLeft size={16} />} disabled={at === 0} onClick={() => move(at - 1)}>
          {t('Move left')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowRight size={16} />}
          disabled={at === columns.length - 1}
          onClick={() => move(at + 1)}
        >
          {t('Move right')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconX size={16} />}
          disabled={columns.length === 1}
          onClick={() => setColumns(columns.filter((each) => each !== name))}
        >
          {t('Remove column')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Turns the order round where that can be done. */
export function TimeHead() {
  const { sort, turnRound } = useSearchActions();
  const isNewest = sort === 'newest';
  if (turnRound === undefined) return <th scope="col">{t('Time')}</th>;
  return (
    <th scope="col" aria-sort={isNewest ? 'descending' : 'ascending'}>
      <UnstyledButton
        className={`${classes.column} ${classes.turn}`}
        title={isNewest ? t('Newest first. Show the oldest first') : t('Oldest first. Show the newest first')}
        onClick={turnRound}
      >
        {t('Time')}{' '}
        {isNewest ? <IconSortDescending size={14} aria-hidden /> : <IconSortAscending size={14} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
