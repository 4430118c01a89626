import { limits } from '@airdeck/contracts/limits';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Updated } from '../../../components/updated.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { Count } from '../../../ui/count.tsx';
import classes from './list.module.css';

type Props = {
  page: number;
  shown: number;
  total: number;
  /** When the list was answered, as `Updated` takes it. */
  updatedAt: number;
  onPage: (page: number) => void;
};

/** Count, freshness and paging. */
export function PoliciesFooter({ page, shown, total, updatedAt, onPage }: Props) {
  const first = (page - 1) * limits.policiesPageSize + 1;
  const pages = Math.max(1, Math.ceil(total / limits.policiesPageSize));
  const parts = { first, last: first + shown - 1, total: <Count value={total} /> };
  return (
    <>
      <span role="status">
        {total === 1 ? tx('{first}–{last} of {total} policy', parts) : tx('{first}–{last} of {total} policies', parts)}
        <Updated at={updatedAt} />
      </span>
      {pages > 1 ? (
        <nav className={classes.pages} aria-label={t('Pages')}>
          <ActionIcon size={28} aria-label={t('Previous page')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          {t('Page {page} of {pages}', { page, pages })}
          <ActionIcon size={28} aria-label={t('Next page')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </nav>
      ) : null}
    </>
  );
}
