import { displayTime } from '@airdeck/domain/display-time';
import { Button } from '@mantine/core';
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query';
import { wasCancelled } from '../../../components/confirmation/cancelled.ts';
import { useProven, wantsProof } from '../../../components/confirmation/use-proven.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { accountQueries } from '../../../queries/me.ts';
import { useApp } from '../../../session/app-context.ts';
import type { ActiveSession } from '../../../session/identity-provider.ts';
import { Panel } from '../../../ui/panel.tsx';
import { dateFormat, useReader, zoneOf } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { SettingRow } from '../setting-row.tsx';
import classes from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { StateBadge } from '../state-badge.tsx';
import { deviceWords } from './device-words.ts';
import { useAccountMutation } from './use-account-mutation.ts';

/** Where one is signed in, and ending that elsewhere: for who proved who they are a moment ago. */
export function SessionsBlock() {
  const { identity } = useApp();
  const sessions = useQuery(accountQueries.sessions(identity));
  // Also with a list of before at hand: the proof it was shown for has passed.
  if (wantsProof(sessions.error)) return <ProofFirst />;
  return <SessionsList sessions={sessions} />;
}

function ProofFirst() {
  const { identity, queryClient } = useApp();
  const show = useProven(() => queryClient.fetchQuery({ ...accountQueries.sessions(identity), staleTime: 0 }));
  const showing = useMutation({ mutationFn: show, meta: { failure: 'inline' } });
  return (
    <Panel title={t('Active sessions')} flush>
      <SettingRow
        title={t('Where you are signed in')}
        text={
          <>
            {t('Confirm that it is you to see your sessions and to end them.')}
            {showing.error === null || wasCancelled(showing.error) ? null : <ProblemNote error={showing.error} />}
          </>
        }
        actions={
          <Button variant="default" loading={showing.isPending} onClick={() => showing.mutate()}>
            {t('Show sessions')}
          </Button>
        }
      />
    </Panel>
  );
}

function SessionsList({ sessions }: { sessions: UseQueryResult<readonly ActiveSession[]> }) {
  const revoke = useAccountMutation((account, which: { id: string } | 'others') => account.revokeSessions(which));
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <SettingsBlock
      title={t('Active sessions')}
      query={sessions}
      aside={
        others.length === 0 ? undefined : (
          <Button
            variant="default"
            size="compact-sm"
            disabled={revoke.isPending}
            loading={revoke.isPending && revoke.variables === 'others'}
            onClick={() => revoke.mutate('others')}
          >
            {t('Sign out all others')}
          </Button>
        )
      }
    >
      {(list) => (
        <>
          {revoke.error === null ? null : (
            <div className={classes.none}>
              <ProblemNote error={revoke.error} />
            </div>
          )}
          {currentFirst(list).map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={revoke.isPending}
              onRevoke={() => revoke.mutate({ id: session.id })}
            />
          ))}
        </>
      )}
    </SettingsBlock>
  );
}

type RowProps = { session: ActiveSession; busy: boolean; onRevoke: () => void };

function SessionRow({ session: { isCurrent, userAgent, address, startedAt, lastSeenAt }, busy, onRevoke }: RowProps) {
  const device = deviceWords(userAgent);
  return (
    <SettingRow
      title={<span title={userAgent}>{device}</span>}
      state={isCurrent ? <StateBadge word={t('This session')} tone="good" /> : undefined}
      text={
        <>
          {address === '' ? '' : `${address} · `}
          {isCurrent ? t('active now') : tx('last seen {time}', { time: <RelativeTime time={lastSeenAt} /> })}
          {startedAt === undefined ? null : (
            <>
              {t(' · signed in ')}
              <DayAndTime time={startedAt} />
            </>
          )}
        </>
      }
      actions={
        isCurrent ? undefined : (
          <Button
            variant="default"
            disabled={busy}
            aria-label={t('Sign out {device}{what}', {
              device,
              what: address === '' ? '' : t(' at {address}', { address }),
            })}
            onClick={onRevoke}
          >
            {t('Sign out')}
          </Button>
        )
      }
    />
  );
}

/** A session is told by the hour it began, which a count of minutes hides. */
function DayAndTime({ time }: { time: string }) {
  const now = useNow();
  const reader = useReader();
  return (
    <time dateTime={time} title={dateFormat(reader, { dateStyle: 'medium', timeStyle: 'long' }).format(new Date(time))}>
      {withinSentence(displayTime(new Date(time), { now, locale: reader.locale, ...zoneOf(reader) }))}
    </time>
  );
}

/** "Today at …" goes on small, the name of a month stays as it is. */
function withinSentence(text: string): string {
  return text.replace(/^\p{L}+(?= \p{L})/u, (word) => word.toLowerCase());
}

function currentFirst(sessions: readonly ActiveSession[]): ActiveSession[] {
  return sessions.toSorted(
    (one, other) =>
      Number(other.isCurrent) - Number(one.isCurrent) || Date.parse(other.lastSeenAt) - Date.parse(one.lastSeenAt),
  );
}
