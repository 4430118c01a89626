import { Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { t } from '../../language/translate.ts';
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
      const { title: name } = wanted.definition;
      showDone(
        wanted.enabled ? t('{name} is enabled in Graylog', { name }) : t('{name} is disabled in Graylog', { name }),
      );
    },
  });
  const { title, enabled } = definition;
  if (enabled === null) return <span className={classes.faint}>{t('Not known')}</span>;
  const reason = access.reason;
  const checked = change.isPending ? change.variables.enabled : enabled;
  const control = (
    <Switch
      aria-label={t('{title} enabled', { title })}
      label={withWord ? (checked ? t('Enabled##definition') : t('Disabled##definition')) : undefined}
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
