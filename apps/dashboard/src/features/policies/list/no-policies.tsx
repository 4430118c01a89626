import { Button } from '@mantine/core';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ImportButton } from './list-actions.tsx';

type Props = { total: number; filtered: boolean; onFirstPage: () => void; onClear: () => void };

/** Why the list is empty, and the way on. */
export function NoPolicies({ total, filtered, onFirstPage, onClear }: Props) {
  const { allowed } = useAccess('airAutomation');
  if (total > 0) {
    return (
      <EmptyState title={t('This page is empty')} action={<Button onClick={onFirstPage}>{t('First page')}</Button>}>
        {plural(
          total,
          'The list has become shorter than it was: {count} policy in all.',
          'The list has become shorter than it was: {count} policies in all.',
        )}
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title={t('No policy matches')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
        {t('No policy fits the search and the filters together.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('No policies yet')} action={allowed ? <ImportButton /> : undefined}>
      {t(
        'A policy says which events open a case. Import rules the world already writes, or write your own: each can be tried on past events before it is switched on.',
      )}
    </EmptyState>
  );
}
