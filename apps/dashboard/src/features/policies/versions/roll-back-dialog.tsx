import type { Policy, PolicyVersion } from '@airdeck/contracts/policies/schema';
import { useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { t } from '../../../language/translate.ts';
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
      title={t('Roll “{name}” back to version {version}?', { name: policy.rule.name, version })}
      text={
        dirty
          ? t(
              'Its rule is taken again, as version {version}. Whether the policy is on stays as it is. What you changed here and did not save is dropped.',
              { version: policy.version + 1 },
            )
          : t('Its rule is taken again, as version {version}. Whether the policy is on stays as it is.', {
              version: policy.version + 1,
            })
      }
      actionLabel={t('Roll back')}
      danger={dirty}
      busy={rollBack.isPending}
      problem={rollBack.error}
      onConfirm={() =>
        rollBack.mutate(
          { id: policy.id, version },
          {
            onSuccess: (now) => {
              notePolicy(queryClient, tenantApi.tenantId, now);
              showDone(t('The rule of version {version} holds again, as version {now}', { version, now: now.version }));
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
