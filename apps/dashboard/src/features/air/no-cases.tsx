import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

type Props = { total: number; filtered: boolean; onFirstPage: () => void; onClear: () => void };

/** Why the list is empty, and the way on. */
export function NoCases({ total, filtered, onFirstPage, onClear }: Props) {
  if (total > 0) {
    return (
      <EmptyState title={t('This page is empty')} action={<Button onClick={onFirstPage}>{t('First page')}</Button>}>
        {plural(
          total,
          'The list has become shorter than it was: {count} case in all.',
          'The list has become shorter than it was: {count} cases in all.',
        )}
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title={t('No case matches')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
        {t('No case fits the search, filters and time range together.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('No cases yet')}
      action={
        <Button component={Link} to="/home">
          {t('Check what arrives')}
        </Button>
      }
    >
      {t(
        'A case opens by itself when events match a policy. If you expected one, see on the home screen whether logs are arriving.',
      )}
    </EmptyState>
  );
}
