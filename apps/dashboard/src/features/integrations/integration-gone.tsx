import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { known, t } from '../../language/translate.ts';
import { loadFailures, loadFailureTitle } from '../../lib/load-failures.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** Instead of an integration that the server does not know, or knows no longer (spec §8). */
export function IntegrationGone() {
  return (
    <>
      <PageHeader title={t('Integration')} />
      <EmptyState
        title={loadFailureTitle('integrationDetail')}
        action={
          <Button component={Link} to="/integrations">
            {t('All integrations')}
          </Button>
        }
      >
        {known(loadFailures.integrationDetail.advice)}
      </EmptyState>
    </>
  );
}
