import { limits } from '@airdeck/contracts/limits';
import { Pages } from '../../../components/pages.tsx';
import { Updated } from '../../../components/updated.tsx';
import { tx } from '../../../language/rich-text.ts';
import { Count } from '../../../ui/count.tsx';

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
      <Pages page={page} pages={pages} onPage={onPage} />
    </>
  );
}
