import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import classes from './history-pages.module.css';

type Props = { page: number; pages: number; onPage: (page: number) => void };

/** The way through a history, newest page first; absent where one page holds it. */
export function HistoryPages({ page, pages, onPage }: Props) {
  if (pages === 1) return null;
  return (
    <nav className={classes.root} aria-label="Pages of the history">
      <ActionIcon size={28} aria-label="Newer" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      Page {page} of {pages}
      <ActionIcon size={28} aria-label="Older" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
    </nav>
  );
}
