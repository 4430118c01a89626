import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { useAccess } from '../../session/access.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Why there are no action runs, and the way on. */
export function NoActions({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { allowed } = useAccess('actions');
  if (filtered) {
    return (
      <EmptyState title={t('No action matches')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
        {t('No action run fits the search and the filters together.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('No action has run yet')}
      action={
        allowed ? (
          <Button component={Link} to="/actions">
            {t('Open the action catalog')}
          </Button>
        ) : (
          <Button component={Link} to="/activity/playbooks">
            {t('Open playbook runs')}
          </Button>
        )
      }
    >
      {t('Actions run inside playbooks, in answer to events, or by hand. Each is kept here with its input and result.')}
    </EmptyState>
  );
}
