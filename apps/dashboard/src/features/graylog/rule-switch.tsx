import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { automationRuleCalls, noteAutomationRule } from '../../queries/automation-rules.ts';
import { useTenantApi } from '../../session/app-context.ts';

/** Whether alerts start anything; the notification in Graylog stays either way. */
export function RuleSwitch({ rule }: { rule: AutomationRule }) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const change = useConfirmedMutation<AutomationRule, boolean>({
    mutationFn: (enabled, controls) => automationRuleCalls.change(tenantApi, rule.id, { enabled }, controls),
    onSuccess: (changed) => {
      noteAutomationRule(queryClient, tenantApi.tenantId, changed);
      const { name } = rule;
      showDone(changed.enabled ? t('{name} is switched on', { name }) : t('{name} is switched off', { name }));
    },
  });
  return (
    <Switch
      aria-label={t('{name} switched on', { name: rule.name })}
      checked={change.isPending ? change.variables === true : rule.enabled}
      disabled={rule.deleting || change.isPending}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
    />
  );
}
