import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { t } from '../language/translate.ts';
import classes from './history-pages.module.css';

type Props = { page: number; pages: number; onPage: (page: number) => void };

/** The way through a history, newest page first; absent where one page holds it. */
export function HistoryPages({ page, pages, onPage }: Props) {
  if (pages === 1) return null;
  return (
    <nav className={classes.root} aria-label={t('Pages of the history')}>
      <ActionIcon size={28} aria-label={t('Newer')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      {t('Page {page} of {pages}', { page, pages })}
      <ActionIcon size={28} aria-label={t('Older')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
    </nav>
  );
}
