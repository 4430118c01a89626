import type { ChannelFailure } from '@airdeck/contracts/notifications/schema';
import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t, told } from '../../../language/translate.ts';
import { channelMutations, channelQueries } from '../../../queries/notifications.ts';
import { useApp } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './notifications.module.css';

const words = { webhook: t('Send a test to the webhook'), slack: t('Send a test to Slack') } as const;

type Props = {
  channel: 'webhook' | 'slack';
  /** Why there is nothing to test; undefined when there is. */
  reason?: string | undefined;
};

/** Sends a test to a channel as it is saved, and says what came of it. */
export function ChannelTest({ channel, reason }: Props) {
  const { api, queryClient } = useApp();
  const test = useMutation(channelMutations.test(api));
  const query = channelQueries.slack(api);
  const failure = useQuery(query).data?.failures?.find((each) => each.channel === channel);
  const { isPending, data: tested } = test;
  return (
    <div className={classes.test}>
      <GuardedButton
        variant="default"
        leftSection={<IconSend size={16} aria-hidden />}
        reason={isPending ? t('A test is on its way.') : reason}
        aria-label={words[channel]}
        onClick={() =>
          test.mutate(channel, { onSuccess: () => void queryClient.invalidateQueries({ queryKey: query.queryKey }) })
        }
      >
        {t('Send a test')}
      </GuardedButton>
      {failure === undefined ? null : <LastFailure failure={failure} />}
      <ProblemNote error={isPending ? undefined : test.error} />
      <div role="status">
        {isPending ? <Loader size={14} aria-label={t('Sending')} /> : null}
        {isPending || tested === undefined ? null : <Outcome ok={tested.ok} message={told(tested)} />}
      </div>
    </div>
  );
}

/** What it refused for good: nothing else tells its owner. */
function LastFailure({ failure }: { failure: ChannelFailure }) {
  return (
    <div className={classes.outcome}>
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {tx('What went here {time} did not arrive. {reason}', {
          time: <RelativeTime time={failure.at} />,
          reason: told(failure),
        })}
      </span>
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
