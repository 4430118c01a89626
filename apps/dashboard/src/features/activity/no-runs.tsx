import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

type Props = { page: number; filtered: boolean; onFirstPage: () => void; onClear: () => void };

/** Why there are no runs, and the way on. */
export function NoRuns({ page, filtered, onFirstPage, onClear }: Props) {
  if (page > 1) {
    return (
      <EmptyState title={t('This page is empty')} action={<Button onClick={onFirstPage}>{t('First page')}</Button>}>
        {t('There are fewer runs than this page number stands for.')}
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title={t('No run matches')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
        {t('No playbook run fits the search and the filters together.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('No playbook has run yet')}
      action={
        <Button component={Link} to="/air/case-management">
          {t('Open cases')}
        </Button>
      }
    >
      {t(
        'A playbook runs in answer to a case, or when somebody starts it by hand. Each run is kept here with all it did.',
      )}
    </EmptyState>
  );
}
