import { limits } from '@airdeck/contracts/limits';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './run-list.module.css';

type Props = {
  page: number;
  shown: number;
  hasNext: boolean;
  /** When the list was answered, milliseconds since the epoch. */
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
        {page <= 1 && !hasNext ? counted(shown) : `Runs ${first}–${last}`} · updated{' '}
        <RelativeTime time={new Date(updatedAt).toISOString()} />
      </span>
      {page > 1 || hasNext ? (
        <nav className={classes.pages} aria-label="Pages">
          <ActionIcon size={28} aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          Page {page}
          <ActionIcon size={28} aria-label="Next page" disabled={!hasNext} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      ) : null}
    </>
  );
}

function counted(runs: number): string {
  return runs === 1 ? '1 run' : `${runs} runs`;
}
