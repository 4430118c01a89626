import { ApiError } from '@airdeck/api-client/api-error';
import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { Button } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { automationRuleCalls, noteAutomationRule, refreshAutomationRules } from '../../queries/automation-rules.ts';
import { refreshDefinitions } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';

type Props = {
  rule: AutomationRule;
  /** Instead of the standard words: where there is nothing to mend, it only looks. */
  label?: string;
  /** After the deletion it tried again has come to its end. */
  onGone?: () => void;
};

/** Looks at the notification in Graylog and puts right what is missing or different; tries a deletion again. */
export function RepairButton({ rule, label, onGone }: Props) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const { tenantId } = tenantApi;
  const repair = useMutation({
    mutationFn: async () => {
      try {
        return await automationRuleCalls.repair(tenantApi, rule.id);
      } catch (error) {
        // What was being deleted is gone now: that is what was asked for.
        if (rule.deleting && error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }
    },
    onSuccess: (repaired) => {
      if (repaired === undefined) {
        showDone(t('{name} was deleted##automation', { name: rule.name }));
        onGone?.();
        return;
      }
      noteAutomationRule(queryClient, tenantId, repaired);
      if (repaired.notification.state === 'attached')
        showDone(t('The notification of {name} is attached in Graylog', { name: rule.name }));
    },
    onSettled: () => {
      void refreshDefinitions(queryClient, tenantId);
      return refreshAutomationRules(queryClient, tenantId);
    },
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconTool size={14} aria-hidden />}
      loading={repair.isPending}
      aria-label={`${label ?? standardLabel(rule)}: ${rule.name}`}
      onClick={() => repair.mutate()}
    >
      {label ?? standardLabel(rule)}
    </Button>
  );
}

function standardLabel({ deleting }: AutomationRule): string {
  return deleting ? t('Try to delete again') : t('Repair');
}
