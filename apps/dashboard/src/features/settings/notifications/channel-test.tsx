import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t, told } from '../../../language/translate.ts';
import { channelMutations } from '../../../queries/notifications.ts';
import { useApp } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import classes from './notifications.module.css';

const words = { webhook: t('Send a test to the webhook'), slack: t('Send a test to Slack') } as const;

type Props = {
  channel: 'webhook' | 'slack';
  /** Why there is nothing to test; undefined when there is. */
  reason?: string | undefined;
};

/** Sends a test to a channel as it is saved, and says what came of it. */
export function ChannelTest({ channel, reason }: Props) {
  const test = useMutation(channelMutations.test(useApp().api));
  const { isPending, data: tested } = test;
  return (
    <div className={classes.test}>
      <GuardedButton
        variant="default"
        leftSection={<IconSend size={16} aria-hidden />}
        reason={isPending ? t('A test is on its way.') : reason}
        aria-label={words[channel]}
        onClick={() => test.mutate(channel)}
      >
        {t('Send a test')}
      </GuardedButton>
      <ProblemNote error={isPending ? undefined : test.error} />
      <div role="status">
        {isPending ? <Loader size={14} aria-label={t('Sending')} /> : null}
        {isPending || tested === undefined ? null : <Outcome ok={tested.ok} message={told(tested)} />}
      </div>
    </div>
  );
}

function Outcome({ ok, message }: { ok: boolean; message: string }) {
  const Icon = ok ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className={classes.outcome} data-good={ok || undefined}>
      <Icon size={16} aria-hidden />
      <span>{ok ? message : t('The test did not arrive. {message}', { message })}</span>
    </div>
  );
}
