import type { EventSource } from '@airdeck/contracts/sources/schema';
import { Button, TextInput } from '@mantine/core';
import { IconClockExclamation, IconRepeat } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { sourceKindWords } from '../../components/source-command.ts';
import { SourceConnect } from '../../components/source-connect/source-connect.tsx';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { sourceCalls, sourceMutations } from '../../queries/sources.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { useReader } from '../../ui/reader.ts';
import { SidePanel } from '../../ui/side-panel.tsx';
import { clockCounts, clockWords } from './clock-words.ts';
import { repeatedSentence } from './repeat-words.ts';
import classes from './sources.module.css';

type Props = {
  source: EventSource;
  /** While it can be shown. */
  token: string | undefined;
  onToken: (token: string) => void;
  onClose: () => void;
};

/** One source: how to connect to it, whether events arrive, and what can be done with it. */
export function SourcePanel({ source, token, onToken, onClose }: Props) {
  const replace = useConfirmedMutation(sourceCalls.rotateToken(useTenantApi(), useApp().queryClient, source.id));
  return (
    <SidePanel
      opened
      // Closed while the call is out, the token would never be seen.
      onClose={replace.isPending ? () => undefined : onClose}
      closesOnlyByButton={token !== undefined}
      title={
        <div className={classes.head}>
          <span>{source.name}</span>
          <span className={classes.kind}>{sourceKindWords[source.kind].label}</span>
        </div>
      }
    >
      <div className={classes.panel}>
        <ClockNote of={source.clock_24h} />
        <RepeatNote count={source.repeated_24h} />
        <SourceConnect source={source} token={token} />
        <div className={classes.manage}>
          <Rename source={source} />
          <Replace
            problem={replace.error}
            busy={replace.isPending}
            onReplace={() => replace.mutate(undefined, { onSuccess: ({ token: made }) => onToken(made) })}
          />
          <Remove source={source} onClose={onClose} />
        </div>
      </div>
    </SidePanel>
  );
}

function ClockNote({ of }: { of: EventSource['clock_24h'] }) {
  const { locale } = useReader();
  if (of === null) return null;
  return (
    <p className={classes.remark} role="note">
      <IconClockExclamation size={16} aria-hidden />
      <span>
        <strong>{clockWords(of, locale)}.</strong> {clockCounts(of)}{' '}
        {t(
          'Set the clock or the time zone of the sender: a search finds these events at the time they say, not when they came.',
        )}
      </span>
    </p>
  );
}

/** Also of what was acknowledged and is nowhere to be found somebody has to be able to say why. */
function RepeatNote({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null;
  return (
    <p className={classes.remark} role="note">
      <IconRepeat size={16} aria-hidden />
      <span>
        <strong>{repeatedSentence(count)}</strong>{' '}
        {t(
          'So is what a sender repeats because it had no answer. If they were events of their own, let the sender give each delivery its own Idempotency-Key header.',
        )}
      </span>
    </p>
  );
}

function Rename({ source }: { source: EventSource }) {
  const rename = useMutation(sourceMutations.rename(useTenantApi(), useApp().queryClient, source.id));
  const [name, setName] = useState(source.name);
  const text = name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text === '' || text === source.name || rename.isPending) return;
    rename.mutate(text, { onSuccess: () => showDone(t('Renamed to {name}', { name: text })) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <ProblemNote error={rename.error} />
      <div className={classes.rename}>
        <TextInput
          label={t('Name')}
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={rename.isPending}
          disabled={text === '' || text === source.name}
        >
          {t('Rename')}
        </Button>
      </div>
    </form>
  );
}

type ReplaceProps = { problem: unknown; busy: boolean; onReplace: () => void };

function Replace({ problem, busy, onReplace }: ReplaceProps) {
  return (
    <>
      <ProblemNote error={problem} />
      <div className={classes.act}>
        <span>{t('Lost the token, or somebody else has it? Another one takes its place.')}</span>
        <Button variant="default" loading={busy} onClick={onReplace}>
          {t('Replace token…')}
        </Button>
      </div>
    </>
  );
}

function Remove({ source, onClose }: Pick<Props, 'source' | 'onClose'>) {
  const remove = useConfirmedMutation(sourceCalls.remove(useTenantApi(), useApp().queryClient, source.id));
  const ask = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        showDone(t('{name} deleted', { name: source.name }));
        onClose();
      },
    });
  return (
    <>
      <ProblemNote error={remove.error} />
      <div className={classes.act}>
        <span>{t('Its events stay; nothing more comes in.')}</span>
        <Button variant="default" className={classes.danger ?? ''} loading={remove.isPending} onClick={ask}>
          {t('Delete…')}
        </Button>
      </div>
    </>
  );
}
