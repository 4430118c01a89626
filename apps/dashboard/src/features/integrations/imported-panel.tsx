import type { ImportedIntegration } from '@airdeck/contracts/openapi/schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { forgetImported, importedQueries } from '../../queries/openapi.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { ActionList } from './action-list.tsx';
import classes from './integrations.module.css';

/** An integration of the tenant's own: where it comes from, what it can do, a new version of it, its end. */
export function ImportedPanel({ definitionId }: { definitionId: string }) {
  const imported = useQuery(importedQueries.list(useTenantApi()));
  const integration = imported.data?.find(({ definition_id }) => definition_id === definitionId);
  if (integration !== undefined) return <Imported of={integration} />;
  // Deleted by somebody else just now: the form says so when it is sent.
  if (imported.isSuccess) return null;
  return (
    <Panel title={t('Imported##one')}>
      {imported.isError ? (
        <ErrorState error={imported.error} onRetry={() => void imported.refetch()} retrying={imported.isFetching} />
      ) : (
        <Loading label={t('Loading where it comes from')}>
          <TextSkeleton lines={4} />
        </Loading>
      )}
    </Panel>
  );
}

function Imported({ of: integration }: { of: ImportedIntegration }) {
  const { id, name, version, actions, created_by, created_at, updated_at } = integration;
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const { api, tenantId } = tenantApi;
  const navigate = useNavigate();
  const remove = useConfirmedMutation({
    mutationFn: (_: undefined, controls) =>
      api.call('openapi.delete', { params: { tenant: tenantId, id }, ...controls }),
    onSuccess: async () => {
      showDone(t('{name} deleted##integration', { name }));
      // First away: this screen would ask for what is gone.
      await navigate({ to: '/integrations/new', ignoreBlocker: true });
      await forgetImported(tenantApi, queryClient, integration);
    },
    meta: { failure: 'inline' },
  });
  return (
    <>
      <Panel title={t('Imported##one')}>
        <div className={classes.form}>
          <KeyFacts
            facts={[
              { label: t('Imported by'), value: created_by },
              { label: t('First imported'), value: <RelativeTime time={created_at} /> },
              { label: t('Version'), value: version },
              ...(version === 1 ? [] : [{ label: t('Last imported'), value: <RelativeTime time={updated_at} /> }]),
              { label: t('Seen by'), value: t('This tenant only') },
            ]}
          />
          <div className={classes.tryOutBar}>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/integrations/new/import" search={{ replaces: id }} {...props} />}
            >
              {t('Import again')}
            </Button>
            <Button
              variant="default"
              className={classes.danger ?? ''}
              loading={remove.isPending}
              onClick={() => remove.mutate(undefined)}
            >
              {t('Delete…')}
            </Button>
          </div>
          <ProblemNote error={remove.error} />
        </div>
      </Panel>
      <ActionList actions={actions} />
    </>
  );
}
