import { Button } from '@mantine/core';
import { Count } from '../../ui/count.tsx';
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
        <Count value={count} /> {count === 1 ? 'report' : 'reports'}
        {list.hasNextPage ? ', older ones not shown' : ''}
      </span>
      {list.hasNextPage ? (
        <Button
          variant="default"
          size="compact-sm"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show older
        </Button>
      ) : null}
      <span>
        updated <RelativeTime time={new Date(list.dataUpdatedAt).toISOString()} />
      </span>
    </>
  );
}
