import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { showDone } from '../../lib/toasts.ts';
import { graylogMutations } from '../../queries/graylog.ts';
import type { EventDefinition } from '../../queries/graylog-answers.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Tip } from '../../ui/tip.tsx';
import classes from './graylog.module.css';

/** Whether Graylog evaluates the definition; switched there, by its title. */
export function DefinitionSwitch({
  definition,
  withWord = false,
}: {
  definition: EventDefinition;
  withWord?: boolean;
}) {
  const access = useAccess('actions');
  const { onSuccess, ...options } = graylogMutations.setEnabled(useTenantApi(), useQueryClient());
  const change = useMutation({
    ...options,
    onSuccess: (answer, wanted) => {
      onSuccess(answer, wanted);
      showDone(`${wanted.definition.title} is ${wanted.enabled ? 'enabled' : 'disabled'} in Graylog`);
    },
  });
  const { title, enabled } = definition;
  if (enabled === null) return <span className={classes.faint}>Not known</span>;
  const reason = access.reason;
  const checked = change.isPending ? change.variables.enabled : enabled;
  const control = (
    <Switch
      aria-label={`${title} enabled`}
      label={withWord ? (checked ? 'Enabled' : 'Disabled') : undefined}
      checked={checked}
      disabled={!access.allowed || change.isPending}
      {...(reason === undefined ? {} : { 'aria-description': reason })}
      onChange={({ currentTarget }) => change.mutate({ definition, enabled: currentTarget.checked })}
    />
  );
  return reason === undefined ? (
    control
  ) : (
    <Tip label={reason}>
      <span className={classes.locked}>{control}</span>
    </Tip>
  );
}
