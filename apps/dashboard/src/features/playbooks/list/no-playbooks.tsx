import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../../ui/empty-state.tsx';

/** Why there are no playbooks, and the way on. */
export function NoPlaybooks({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState title="No playbook matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        No playbook fits the search and the filters together.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No playbooks yet"
      action={
        <Button component={Link} to="/playbooks/new">
          New playbook
        </Button>
      }
    >
      Put together what should happen on an alert: look things up, ask somebody, act. It can be tried before it is real.
    </EmptyState>
  );
}
