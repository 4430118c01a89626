import type { Policy } from '@airdeck/contracts/policies/schema';
import { Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { t } from '../../../language/translate.ts';
import { notePolicy, policyCalls } from '../../../queries/policies.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Tip } from '../../../ui/tip.tsx';
import classes from './list.module.css';

/** Told of each switch, to offer the way back. */
export const SwitchedContext = createContext<(policy: Policy) => void>(() => undefined);

/** Switches a policy; one that would match nearly everything asks first. */
export function useSwitchPolicy() {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const calls = policyCalls(tenantApi);
  return useConfirmedMutation({
    mutationFn: (change: { id: string; enabled: boolean }, controls) => calls.update(change, controls),
    onSuccess: (policy) => notePolicy(queryClient, tenantApi.tenantId, policy),
  });
}

type Props = { policy: Policy; withWord?: boolean; onChanged?: (policy: Policy) => void };

/** Whether a policy looks at events; what is under way already shows. */
export function EnabledSwitch({ policy, withWord = false, onChanged }: Props) {
  const { allowed, reason } = useAccess('airAutomation');
  const onSwitched = useContext(SwitchedContext);
  const change = useSwitchPolicy();
  const enabled = change.isPending ? (change.variables?.enabled ?? policy.enabled) : policy.enabled;
  const word = enabled ? t('On##policy') : t('Off##policy');
  const control = (
    <span className={classes.switch}>
      <Switch
        size="xs"
        checked={enabled}
        disabled={!allowed || change.isPending}
        aria-label={t('{name} is on', { name: policy.rule.name })}
        onChange={(event) => {
          const wanted = event.currentTarget.checked;
          change.mutate(
            { id: policy.id, enabled: wanted },
            {
              onSuccess: (now) => {
                onSwitched(now);
                onChanged?.(now);
              },
            },
          );
        }}
      />
      {withWord ? <span className={enabled ? undefined : classes.faint}>{word}</span> : null}
    </span>
  );
  return allowed ? control : <Tip label={`${word}. ${reason ?? ''}`}>{control}</Tip>;
}
