import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { RunList } from '../../../components/run-list/run-list.tsx';
import { t } from '../../../language/translate.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';

const route = getRouteApi('/_dashboard/playbooks/$id/');

/** Every run of one playbook, newest first. */
export function RunsPanel({ id }: { id: string }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const turnTo = (to: number) =>
    void navigate({ search: (before) => ({ ...before, page: to === 1 ? undefined : to }) });
  return (
    <RunList
      filter={{ playbook_id: id }}
      page={page}
      onPage={turnTo}
      ofOne
      empty={
        page > 1 ? (
          <EmptyState
            title={t('This page is empty')}
            action={<Button onClick={() => turnTo(1)}>{t('First page')}</Button>}
          >
            {t('There are fewer runs than this page number stands for.')}
          </EmptyState>
        ) : (
          <EmptyState
            title={t('It has not run yet')}
            action={
              <Button
                renderRoot={(props) => <Link to="/playbooks" search={{ action: id, settings: 'run' }} {...props} />}
              >
                {t('Run it')}
              </Button>
            }
          >
            {t('Every run of this playbook is kept here, with what each step did.')}
          </EmptyState>
        )
      }
    />
  );
}
