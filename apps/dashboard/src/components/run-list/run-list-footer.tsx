import { limits } from '@airdeck/contracts/limits';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { Updated } from '../updated.tsx';
import classes from './run-list.module.css';

type Props = {
  page: number;
  shown: number;
  hasNext: boolean;
  /** When the list was answered, as `Updated` takes it. */
  updatedAt: number;
  onPage: (page: number) => void;
};

/** Which runs are shown, how fresh they are, and paging. */
export function RunListFooter({ page, shown, hasNext, updatedAt, onPage }: Props) {
  const first = (page - 1) * limits.playbookActivityPageSize + 1;
  const last = first + shown - 1;
  return (
    <>
      <span>
        {page <= 1 && !hasNext ? counted(shown) : t('Runs {first}–{last}', { first, last })}
        <Updated at={updatedAt} />
      </span>
      {page > 1 || hasNext ? (
        <nav className={classes.pages} aria-label={t('Pages')}>
          <ActionIcon size={28} aria-label={t('Previous page')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          {t('Page {page}', { page })}
          <ActionIcon size={28} aria-label={t('Next page')} disabled={!hasNext} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      ) : null}
    </>
  );
}

function counted(runs: number): string {
  return plural(runs, '{count} run', '{count} runs');
}
