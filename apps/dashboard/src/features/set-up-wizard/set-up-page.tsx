import { Button } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ProblemNote } from '../../components/problem-note.tsx';
import { SetUpList } from '../../components/set-up/set-up-list.tsx';
import { t } from '../../language/translate.ts';
import { onboardingMutations, onboardingQueries } from '../../queries/onboarding.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { firstTitle, newSetUp, steps, stepWords } from './set-up-steps.ts';
import classes from './set-up-wizard.module.css';

/** Where a set-up begins, and those that were begun go on. */
export function SetUpPage() {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const navigate = useNavigate();
  const { data: list } = useSuspenseQuery(onboardingQueries.list(tenantApi));
  const begin = useMutation(onboardingMutations.save(tenantApi, queryClient));
  const start = () =>
    begin.mutate(
      { id: crypto.randomUUID(), body: newSetUp(list.map(({ title }) => title)) },
      { onSuccess: ({ id }) => void navigate({ to: '/set-up/$id', params: { id } }) },
    );
  return (
    <>
      <PageHeader
        title={t('Connect systems')}
        purpose={t('From nothing to the first event, one step after the other.')}
      />
      <div className={classes.stack}>
        <ProblemNote error={begin.error} />
        <Panel title={firstTitle()}>
          <ol className={classes.overview}>
            {steps.map((step) => (
              <li key={step}>
                <span className={classes.overviewTitle}>{stepWords(step).title}</span>
                <span className={classes.help}>{stepWords(step).purpose}</span>
              </li>
            ))}
          </ol>
          <Button onClick={start} loading={begin.isPending}>
            {t('Begin a set-up')}
          </Button>
        </Panel>
        {list.length === 0 ? null : (
          <Panel title={t('In progress')} flush>
            <SetUpList list={list} />
          </Panel>
        )}
      </div>
    </>
  );
}
