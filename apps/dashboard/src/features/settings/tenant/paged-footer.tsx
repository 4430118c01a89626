import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import type { Paged } from './paged-rows.ts';
import classes from './tenant.module.css';

type Props = {
  of: Paged<unknown>;
  /** How many there are, in words. */
  counted: (total: number) => string;
  /** Milliseconds since the epoch. */
  updatedAt: number;
  onPage: (page: number) => void;
};

/** Count, freshness and paging of a list that is here as a whole. */
export function PagedFooter({ of: { rows, page, pages, first, total }, counted, updatedAt, onPage }: Props) {
  const count = counted(total);
  return (
    <>
      <span>
        {tx('{what} · updated {time}', {
          what: pages === 1 ? count : t('{first}–{last} of {count}', { first, last: first + rows.length - 1, count }),
          time: <RelativeTime time={new Date(updatedAt).toISOString()} />,
        })}
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
