import { Pages } from '../../../components/pages.tsx';
import { Updated } from '../../../components/updated.tsx';
import { t } from '../../../language/translate.ts';
import type { Paged } from './paged-rows.ts';

type Props = {
  of: Paged<unknown>;
  /** How many there are, in words. */
  counted: (total: number) => string;
  /** When the list was answered, as `Updated` takes it. */
  updatedAt: number;
  onPage: (page: number) => void;
};

/** Count, freshness and paging of a list that is here as a whole. */
export function PagedFooter({ of: { rows, page, pages, first, total }, counted, updatedAt, onPage }: Props) {
  const count = counted(total);
  return (
    <>
      <span>
        {pages === 1 ? count : t('{first}–{last} of {count}', { first, last: first + rows.length - 1, count })}
        <Updated at={updatedAt} />
      </span>
      <Pages page={page} pages={pages} onPage={onPage} />
    </>
  );
}
