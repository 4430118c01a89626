import { SegmentedControl } from '@mantine/core';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Panel } from '../../../ui/panel.tsx';
import { StepList } from '../definition/step-list.tsx';
import classes from './detail.module.css';
import { YamlView } from './yaml-view.tsx';

const route = getRouteApi('/_dashboard/playbooks/$id/');

/** What a playbook does, in words or as YAML. */
export function DefinitionPanel({ id }: { id: string }) {
  const { step } = route.useSearch();
  const [as, setAs] = useState('steps');
  const { data: playbook } = useSuspenseQuery(playbookQueries.detail(useTenantApi(), useQueryClient(), id));
  return (
    <div className={classes.stack}>
      <div>
        <SegmentedControl
          aria-label={t('Shown as')}
          size="xs"
          value={as}
          onChange={setAs}
          data={[
            { value: 'steps', label: t('Steps') },
            { value: 'yaml', label: t('YAML') },
          ]}
        />
      </div>
      {as === 'yaml' ? (
        <YamlView id={id} />
      ) : (
        <Panel flush>
          <StepList actions={playbook.actions} shownId={step} />
        </Panel>
      )}
    </div>
  );
}
