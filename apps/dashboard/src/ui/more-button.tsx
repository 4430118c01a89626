import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list that is read page by page. */
export type GrowingList = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: (options: { cancelRefetch: boolean }) => unknown;
};

type Props = {
  list: GrowingList;
  /** Whether what is just being read anew is given up for the next page. */
  cancelRefetch?: boolean;
  children: ReactNode;
};

/** Asks for the next page; absent where none is left. */
export function MoreButton({ list, cancelRefetch = true, children }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage({ cancelRefetch })}
    >
      {children}
    </Button>
  );
}
