import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import type { Paged } from './paged-rows.ts';
import classes from './tenant.module.css';

type Props = {
  of: Paged<unknown>;
  /** One and several of it. */
  noun: readonly [string, string];
  /** Milliseconds since the epoch. */
  updatedAt: number;
  onPage: (page: number) => void;
};

/** Count, freshness and paging of a list that is here as a whole. */
export function PagedFooter({ of: { rows, page, pages, first, total }, noun, updatedAt, onPage }: Props) {
  const count = `${total} ${noun[total === 1 ? 0 : 1]}`;
  return (
    <>
      <span>
        {pages === 1 ? count : `${first}–${first + rows.length - 1} of ${count}`} · updated{' '}
        <RelativeTime time={new Date(updatedAt).toISOString()} />
      </span>
      {pages === 1 ? null : (
        <nav className={classes.pages} aria-label="Pages">
          <ActionIcon size={28} aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          Page {page} of {pages}
          <ActionIcon size={28} aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      )}
    </>
  );
}
