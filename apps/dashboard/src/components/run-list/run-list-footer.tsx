import { limits } from '@airdeck/contracts/limits';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { Pages } from '../pages.tsx';
import { Updated } from '../updated.tsx';

type Props = {
  page: number;
  shown: number;
  hasNext: boolean;
  /** When the list was answered, as `Updated` takes it. */
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
        {page <= 1 && !hasNext ? counted(shown) : t('Runs {first}–{last}', { first, last })}
        <Updated at={updatedAt} />
      </span>
      <Pages page={page} hasNext={hasNext} onPage={onPage} />
    </>
  );
}

function counted(runs: number): string {
  return plural(runs, '{count} run', '{count} runs');
}
