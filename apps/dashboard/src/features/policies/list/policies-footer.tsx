import { limits } from '@airdeck/contracts/limits';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Count } from '../../../ui/count.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './list.module.css';

type Props = {
  page: number;
  shown: number;
  total: number;
  /** When the list was answered, milliseconds since the epoch. */
  updatedAt: number;
  onPage: (page: number) => void;
};

/** Count, freshness and paging. */
export function PoliciesFooter({ page, shown, total, updatedAt, onPage }: Props) {
  const first = (page - 1) * limits.policiesPageSize + 1;
  const pages = Math.max(1, Math.ceil(total / limits.policiesPageSize));
  return (
    <>
      <span role="status">
        {first}–{first + shown - 1} of <Count value={total} /> {total === 1 ? 'policy' : 'policies'} · updated{' '}
        <RelativeTime time={new Date(updatedAt).toISOString()} />
      </span>
      {pages > 1 ? (
        <nav className={classes.pages} aria-label="Pages">
          <ActionIcon size={28} aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          Page {page} of {pages}
          <ActionIcon size={28} aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </nav>
      ) : null}
    </>
  );
}
