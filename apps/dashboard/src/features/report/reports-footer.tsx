import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { type GrowingList, MoreButton } from '../../ui/more-button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Props = { count: number; list: GrowingList & { dataUpdatedAt: number } };

/** How many reports show, older ones, and how fresh the list is. */
export function ReportsFooter({ count, list }: Props) {
  return (
    <>
      <span role="status">
        {list.hasNextPage
          ? plural(count, '{count} report, older ones not shown', '{count} reports, older ones not shown')
          : plural(count, '{count} report', '{count} reports')}
      </span>
      <MoreButton list={list}>{t('Show older')}</MoreButton>
      <span>{tx('updated {time}', { time: <RelativeTime time={new Date(list.dataUpdatedAt).toISOString()} /> })}</span>
    </>
  );
}
