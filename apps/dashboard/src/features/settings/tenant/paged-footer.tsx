import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Updated } from '../../../components/updated.tsx';
import { t } from '../../../language/translate.ts';
import type { Paged } from './paged-rows.ts';
import classes from './tenant.module.css';

type Props = {
  of: Paged<unknown>;
  /** How many there are, in words. */
  counted: (total: number) => string;
  /** When the list was answered, as `Updated` takes it. */
  updatedAt: number;
  onPage: (page: number) => void;
};

/** Count, freshness and paging of a list that is here as a whole. */
export function PagedFooter({ of: { rows, page, pages, first, total }, counted, updatedAt, onPage }: Props) {
  const count = counted(total);
  return (
    <>
      <span>
        {pages === 1 ? count : t('{first}–{last} of {count}', { first, last: first + rows.length - 1, count })}
        <Updated at={updatedAt} />
      </span>
      {pages === 1 ? null : (
        <nav className={classes.pages} aria-label={t('Pages')}>
          <ActionIcon size={28} aria-label={t('Previous page')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          {t('Page {page} of {pages}', { page, pages })}
          <ActionIcon size={28} aria-label={t('Next page')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      )}
    </>
  );
}
