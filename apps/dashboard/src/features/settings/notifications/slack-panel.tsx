import type { SlackSetting } from '@airdeck/contracts/notifications/schema';
import { Button, Group, PasswordInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { channelMutations, channelQueries } from '../../../queries/notifications.ts';
import { useApp } from '../../../session/app-context.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useRefusal } from '../../../ui/use-refusal.ts';
import settingsClasses from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { ChannelTest } from './channel-test.tsx';
import classes from './notifications.module.css';
import { isWebAddress, wrongAddress } from './preferences.ts';

/** Where messages to Slack go: written, tested, never read. `isWanted`: some event is switched on for it. */
export function SlackPanel({ isWanted }: { isWanted: boolean }) {
  const setting = useQuery(channelQueries.slack(useApp().api));
  return (
    <SettingsBlock title={t('Slack')} query={setting} lines={2}>
      {({ slack }) => (
        <div className={classes.panelBody}>
          {slack === null ? <NewAddress isWanted={isWanted} /> : <KnownAddress slack={slack} />}
        </div>
      )}
    </SettingsBlock>
  );
}

function NewAddress({ isWanted }: { isWanted: boolean }) {
  return (
    <>
      <AddressForm />
      {isWanted ? (
        <p className={classes.hint}>
          {t('Events above are switched on for Slack. Without an address nothing goes there.')}
        </p>
      ) : null}
    </>
  );
}

function KnownAddress({ slack: { host, set_at } }: { slack: NonNullable<SlackSetting['slack']> }) {
  const { api, queryClient } = useApp();
  const [shows, setShows] = useState<'address' | 'form' | 'question'>('address');
  const remove = useMutation(channelMutations.removeSlack(api, queryClient));
  const showAddress = () => setShows('address');
  if (shows === 'form') return <AddressForm onEnd={showAddress} />;
  return (
    <>
      <div className={classes.set}>
        <div className={classes.setWords}>
          {t('Messages go to {host}', { host })}
          <span>
            {tx('Address set {time}, stored encrypted and never shown again', {
              time: <RelativeTime time={set_at} />,
            })}
          </span>
        </div>
        <Group gap="xs">
          <Button variant="default" aria-label={t('Replace the Slack address')} onClick={() => setShows('form')}>
            {t('Replace')}
          </Button>
          <Button variant="default" aria-label={t('Remove the Slack address')} onClick={() => setShows('question')}>
            {t('Remove…')}
          </Button>
        </Group>
      </div>
      <ChannelTest channel="slack" />
      {shows === 'question' ? (
        <AskDialog
          title={t('Remove the Slack address?')}
          text={t('Nothing goes to Slack any more. What is chosen above stays, for a new address.')}
          actionLabel={t('Remove address')}
          busy={remove.isPending}
          problem={remove.error}
          onClose={showAddress}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => showDone(t('Slack address removed')) })}
        />
      ) : null}
    </>
  );
}

function AddressForm({ onEnd }: { onEnd?: () => void }) {
  const { api, queryClient } = useApp();
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string>();
  const { form, refuse } = useRefusal();
  const save = useMutation(channelMutations.setSlack(api, queryClient));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = isWebAddress(url.trim()) ? undefined : wrongAddress;
    setProblem(found);
    if (found !== undefined) return refuse();
    if (save.isPending) return;
    save.mutate(url.trim(), {
      onSuccess: () => {
        showDone(t('Slack address saved'));
        onEnd?.();
      },
    });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className={settingsClasses.stack}>
      <ProblemNote error={save.error} />
      <PasswordInput
        label={t('Address of an incoming webhook')}
        description={t(
          'Made in Slack under Apps, Incoming Webhooks. Whoever has it can write to its channel, so it is stored encrypted and never shown again.',
        )}
        placeholder={t('https://hooks.slack.com/services/…')}
        autoComplete="off"
        maxLength={2000}
        value={url}
        error={problem}
        aria-invalid={problem !== undefined}
        onChange={({ currentTarget: { value } }) => {
          setUrl(value);
          setProblem(undefined);
        }}
      />
      <Group gap="xs">
        <Button type="submit" variant="default" loading={save.isPending}>
          {t('Save address')}
        </Button>
        {onEnd === undefined ? null : (
          <Button variant="subtle" onClick={onEnd} disabled={save.isPending}>
            {t('Cancel')}
          </Button>
        )}
      </Group>
    </form>
  );
}
