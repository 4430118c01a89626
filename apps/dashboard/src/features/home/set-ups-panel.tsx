import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { t } from '../../language/translate.ts';
import { onboardingQueries } from '../../queries/onboarding.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './home-page.module.css';

const SetUpList = lazy(() =>
  import('../../components/set-up/set-up-list.tsx').then((module) => ({ default: module.SetUpList })),
);

const SHOWN = 3;

/** What was begun and waits to be finished, for those who may go on with it. Absent when there is nothing, or no answer. */
export function SetUpsPanel() {
  const { allowed } = useAccess('onboarding');
  const { data = [] } = useQuery({ ...onboardingQueries.list(useTenantApi()), enabled: allowed });
  if (!allowed || data.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <div className={classes.setUps}>
        <Panel
          title={t('Set-ups in progress')}
          flush
          {...(data.length > SHOWN
            ? { aside: <Link to="/set-up">{t('All {count}', { count: data.length })}</Link> }
            : {})}
        >
          <SetUpList list={data.slice(0, SHOWN)} />
        </Panel>
      </div>
    </Suspense>
  );
}
