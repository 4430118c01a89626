import type { Policy } from '@airdeck/contracts/policies/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { showDone } from '../../../lib/toasts.ts';
import { forgetPolicy, policyMutations } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';

/** Asks before a policy is deleted: what goes with it, and what stays. */
export function DeleteDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(policyMutations.delete(tenantApi, policy.id));
  const open = policy.open_cases === 1 ? 'Its open case stays' : `Its ${policy.open_cases} open cases stay`;
  return (
    <AskDialog
      title={`Delete “${policy.rule.name}”?`}
      text={`Its versions and what it starts by itself go with it, for good. ${policy.open_cases === 0 ? 'Cases it opened stay' : open}, but no further event joins them.`}
      actionLabel="Delete policy"
      busy={remove.isPending}
      problem={remove.error}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: async () => {
            showDone(`${policy.rule.name} deleted`);
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
