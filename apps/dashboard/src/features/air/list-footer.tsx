import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Updated } from '../../components/updated.tsx';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import classes from './case-list.module.css';

type Props = {
  page: number;
  pageSize: number;
  shown: number;
  total: number;
  /** When the list was answered, as `Updated` takes it. */
  updatedAt: number;
  onPage: (page: number) => void;
};

/** Count, freshness and paging. */
export function ListFooter({ page, pageSize, shown, total, updatedAt, onPage }: Props) {
  const first = (page - 1) * pageSize + 1;
  const pages = Math.max(1, Math.ceil(total / pageSize));
  return (
    <>
      <span>
        {t('{first}–{last} of {cases}', {
          first,
          last: first + shown - 1,
          cases: plural(total, '{count} case', '{count} cases'),
        })}
        <Updated at={updatedAt} />
      </span>
      {pages > 1 ? (
        <nav className={classes.pages} aria-label={t('Pages')}>
          <ActionIcon size={28} aria-label={t('Previous page')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          {t('Page {page} of {pages}', { page, pages })}
          <ActionIcon size={28} aria-label={t('Next page')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      ) : null}
    </>
  );
}
