import type { Policy } from '@airdeck/contracts/policies/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { forgetPolicy, policyMutations } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';

/** Asks before a policy is deleted: what goes with it, and what stays. */
export function DeleteDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(policyMutations.delete(tenantApi, policy.id));
  return (
    <AskDialog
      title={t('Delete “{name}”?', { name: policy.rule.name })}
      text={whatGoes(policy.open_cases)}
      actionLabel={t('Delete policy')}
      busy={remove.isPending}
      problem={remove.error}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: async () => {
            showDone(t('{name} deleted##policy', { name: policy.rule.name }));
            // What was typed about it has no place any more.
            await navigate({ to: '/air/policy-management', ignoreBlocker: true });
            forgetPolicy(queryClient, tenantApi.tenantId, policy.id);
          },
        })
      }
      onClose={onClose}
    />
  );
}

function whatGoes(openCases: number): string {
  if (openCases === 0) {
    return t(
      'Its versions and what it starts by itself go with it, for good. Cases it opened stay, but no further event joins them.',
    );
  }
  return plural(
    openCases,
    'Its versions and what it starts by itself go with it, for good. Its open case stays, but no further event joins them.',
    'Its versions and what it starts by itself go with it, for good. Its {count} open cases stay, but no further event joins them.',
  );
}
