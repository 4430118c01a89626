import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './case-list.module.css';

type Props = {
  page: number;
  pageSize: number;
  shown: number;
  total: number;
  /** When the list was answered, milliseconds since the epoch. */
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
        {tx('{first}–{last} of {cases} · updated {time}', {
          first,
          last: first + shown - 1,
          cases: plural(total, '{count} case', '{count} cases'),
          time: <RelativeTime time={new Date(updatedAt).toISOString()} />,
        })}
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
