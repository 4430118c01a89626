import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../components/confirmation/ask-dialog.tsx';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { automationRuleCalls, forgetAutomationRule, refreshAutomationRules } from '../../queries/automation-rules.ts';
import { refreshDefinitions } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';

type Props = {
  rule: AutomationRule;
  /** Leaves the screen of what is gone. */
  onGone: () => Promise<void>;
  onClose: () => void;
};

/** Deletes an automation and its notification; where Graylog refuses, offers to forget it here all the same. */
export function DeleteRuleDialog({ rule, onGone, onClose }: Props) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const { tenantId } = tenantApi;
  const remove = useMutation({
    meta: { failure: 'inline' },
    mutationFn: (force: boolean) => automationRuleCalls.delete(tenantApi, rule.id, force),
    onSuccess: async () => {
      showDone(t('{name} was deleted##automation', { name: rule.name }));
      await onGone();
      forgetAutomationRule(queryClient, tenantId, rule.id);
      void refreshDefinitions(queryClient, tenantId);
    },
    onError: () => refreshAutomationRules(queryClient, tenantId),
  });
  // Graylog refused, or did so before: what is left there would have to be taken away by hand.
  const force = isRefusedWith(remove.error, 'ACTION_FAILED') || (rule.deleting && rule.notification.state === 'failed');
  const { title: definition } = rule.event_definition;
  return (
    <AskDialog
      title={force ? t('Delete {name} here anyway?', { name: rule.name }) : t('Delete {name}?', { name: rule.name })}
      text={
        force
          ? t(
              'Graylog did not let go of it. Deleted here anyway, “{title}” stays in Graylog and has to be removed there by hand; its alerts are no longer taken.',
              { title: rule.notification.title },
            )
          : t(
              'Alerts of {definition} will no longer start it, its notification is taken out of Graylog, and its history goes with it. What it has started goes on.',
              { definition },
            )
      }
      actionLabel={force ? t('Delete here anyway') : t('Delete')}
      busy={remove.isPending}
      problem={remove.error}
      onConfirm={() => remove.mutate(force)}
      onClose={onClose}
    />
  );
}
