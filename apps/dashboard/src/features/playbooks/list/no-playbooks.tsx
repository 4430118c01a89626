import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../../../language/translate.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LibraryButton } from '../library/library-button.tsx';

/** Why there are no playbooks, and the way on. */
export function NoPlaybooks({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <EmptyState title={t('No playbook matches')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
        {t('No playbook fits the search and the filters together.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('No playbooks yet')}
      action={
        <Group gap="xs" justify="center">
          <LibraryButton main />
          <Button variant="default" component={Link} to="/playbooks/new">
            {t('New playbook')}
          </Button>
        </Group>
      }
    >
      {t(
        'Begin with one of those that come with the product, or put together what should happen on an alert: look things up, ask somebody, act. Each can be tried before it is real.',
      )}
    </EmptyState>
  );
}
