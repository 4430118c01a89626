import type { Policy } from '@airdeck/contracts/policies/schema';
import { Button } from '@mantine/core';
import { IconBuildings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { policyQueries } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { inShort } from './customer-state.ts';
import classes from './publish.module.css';

const PublishDialog = lazy(() => import('./publish-dialog.tsx').then((module) => ({ default: module.PublishDialog })));

/** How the customers of a provider stand to its policy, and the way to publish it. */
export function PublicationsSection({ policy }: { policy: Policy }) {
  const [publishing, setPublishing] = useState(false);
  const customers = useQuery(policyQueries.publications(useTenantApi(), policy.id));
  const words =
    customers.data === undefined
      ? customers.isError
        ? t('How the customers stand to it could not be loaded.')
        : t('Looking at the customers…')
      : customers.data.total === 0
        ? t('There is no customer to publish it to yet.')
        : `${inShort(customers.data.tenants)}.`;
  return (
    <div className={classes.published}>
      <p className={classes.words}>{words}</p>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconBuildings size={14} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setPublishing(true)}
      >
        {t('Publish…')}
      </Button>
      {publishing ? (
        <Suspense fallback={null}>
          <PublishDialog policy={policy} onClose={() => setPublishing(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
