import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../ui/empty-state.tsx';

type Props = { total: number; filtered: boolean; onFirstPage: () => void; onClear: () => void };

/** Why the list is empty, and the way on. */
export function NoCases({ total, filtered, onFirstPage, onClear }: Props) {
  if (total > 0) {
    return (
      <EmptyState title="This page is empty" action={<Button onClick={onFirstPage}>First page</Button>}>
        The list has become shorter than it was: {total} {total === 1 ? 'case' : 'cases'} in all.
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title="No case matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        No case fits the search, filters and time range together.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No cases yet"
      action={
        <Button component={Link} to="/home">
          Check what arrives
        </Button>
      }
    >
      A case opens by itself when events match a policy. If you expected one, see on the home screen whether logs are
      arriving.
    </EmptyState>
  );
}
