import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { t } from '../language/translate.ts';
import classes from './pages.module.css';

const usual = { label: t('Pages'), before: t('Previous page'), after: t('Next page') };

type Props = {
  page: number;
  onPage: (page: number) => void;
  words?: typeof usual;
  className?: string | undefined;
  /** How many there are; of a list that nobody counts, whether one follows. */
} & ({ pages: number } | { hasNext: boolean });

/** The way through a list page by page; absent where one page holds it. */
export function Pages({ page, onPage, words = usual, className, ...of }: Props) {
  const isCounted = 'pages' in of;
  const hasNext = isCounted ? page < of.pages : of.hasNext;
  if (isCounted ? of.pages <= 1 : page <= 1 && !hasNext) return null;
  return (
    <nav className={className === undefined ? classes.root : `${classes.root} ${className}`} aria-label={words.label}>
      <ActionIcon size={28} aria-label={words.before} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      {isCounted ? t('Page {page} of {pages}', { page, pages: of.pages }) : t('Page {page}', { page })}
      <ActionIcon size={28} aria-label={words.after} disabled={!hasNext} onClick={() => onPage(page + 1)}>
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </nav>
  );
}
