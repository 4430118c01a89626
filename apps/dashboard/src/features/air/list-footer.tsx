import { Pages } from '../../components/pages.tsx';
import { Updated } from '../../components/updated.tsx';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';

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
  // A page whose rows all left is still the one that is read.
  const pages = Math.max(page, Math.ceil(total / pageSize));
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
      <Pages page={page} pages={pages} onPage={onPage} />
    </>
  );
}
