import type { Policy, PolicyVersion } from '@airdeck/contracts/policies/schema';
import { useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { showDone } from '../../../lib/toasts.ts';
import { notePolicy, policyCalls } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';

type Props = {
  policy: Policy;
  version: PolicyVersion;
  dirty: boolean;
  onDone: (policy: Policy) => void;
  onClose: () => void;
};

/** Takes the rule of an older version again, once it was said what that means. */
export function RollBackDialog({ policy, version: { version }, dirty, onDone, onClose }: Props) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const calls = policyCalls(tenantApi);
  const rollBack = useConfirmedMutation({ mutationFn: calls.rollBack, meta: { failure: 'inline' } });
  return (
    <AskDialog
      title={`Roll “${policy.rule.name}” back to version ${version}?`}
      text={`Its rule is taken again, as version ${policy.version + 1}. Whether the policy is on stays as it is.${dirty ? ' What you changed here and did not save is dropped.' : ''}`}
      actionLabel="Roll back"
      danger={dirty}
      busy={rollBack.isPending}
      problem={rollBack.error}
      onConfirm={() =>
        rollBack.mutate(
          { id: policy.id, version },
          {
            onSuccess: (now) => {
              notePolicy(queryClient, tenantApi.tenantId, now);
              showDone(`The rule of version ${version} holds again, as version ${now.version}`);
              onDone(now);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
