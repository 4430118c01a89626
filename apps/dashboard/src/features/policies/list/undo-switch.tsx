import type { Policy } from '@airdeck/contracts/policies/schema';
import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { t } from '../../../language/translate.ts';
import { useSwitchPolicy } from './enabled-switch.tsx';
import classes from './list.module.css';

const SHOWN_MS = 12_000;

/** Says which policy was switched, and takes it back. */
export function UndoSwitch({ policy, onDone }: { policy: Policy; onDone: () => void }) {
  const change = useSwitchPolicy();
  useEffect(() => {
    if (change.isPending) return;
    const timer = setTimeout(onDone, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [onDone, change.isPending]);
  return (
    <div className={classes.undo} role="status">
      <span className={classes.undoWords}>
        {policy.enabled
          ? t('{name} is on now.', { name: policy.rule.name })
          : t('{name} is off now.', { name: policy.rule.name })}
      </span>
      <Button
        variant="subtle"
        size="xs"
        loading={change.isPending}
        onClick={() => change.mutate({ id: policy.id, enabled: !policy.enabled }, { onSuccess: onDone })}
      >
        {t('Undo')}
      </Button>
      <ActionIcon size={24} aria-label={t('Dismiss')} onClick={onDone}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}
