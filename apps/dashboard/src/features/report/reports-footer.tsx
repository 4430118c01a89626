import { Button } from '@mantine/core';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Props = {
  count: number;
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    dataUpdatedAt: number;
    fetchNextPage: () => Promise<unknown>;
  };
};

/** How many reports show, older ones, and how fresh the list is. */
export function ReportsFooter({ count, list }: Props) {
  return (
    <>
      <span role="status">
        {list.hasNextPage
          ? plural(count, '{count} report, older ones not shown', '{count} reports, older ones not shown')
          : plural(count, '{count} report', '{count} reports')}
      </span>
      {list.hasNextPage ? (
        <Button
          variant="default"
          size="compact-sm"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('Show older')}
        </Button>
      ) : null}
      <span>{tx('updated {time}', { time: <RelativeTime time={new Date(list.dataUpdatedAt).toISOString()} /> })}</span>
    </>
  );
}
