import type { Operations } from '@airdeck/contracts/operations/schema';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Sparkline } from '../../../components/widgets/sparkline.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { operationsQueries } from '../../../queries/operations.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Count } from '../../../ui/count.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { type Fact, KeyFacts } from '../../../ui/key-facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { StateBadge } from '../state-badge.tsx';
import classes from './operations.module.css';
import { Age, Bytes, objectiveColumns, processColumns, queueColumns } from './operations-columns.tsx';
import { archiveWords } from './operations-words.ts';

/** How the whole installation is doing, for whoever runs it. */
export function OperationsPanel() {
  const operations = useQuery(operationsQueries.now(useTenantApi()));
  if (operations.data !== undefined) return <Parts found={operations.data} />;
  if (operations.isError) {
    return (
      <ErrorState error={operations.error} onRetry={() => void operations.refetch()} retrying={operations.isFetching} />
    );
  }
  return (
    <Loading label={t('Loading operations')}>
      <TableSkeleton rows={8} />
    </Loading>
  );
}

/** A process of the release before says nothing of `stalled` and `rebuilt_at`. */
function Parts({ found }: { found: Operations }) {
  return (
    <div className={classes.parts}>
      {found.stalled == null ? null : <StalledNote stalled={found.stalled} />}
      <section>
        <h2 className={classes.title}>{t('Promises')}</h2>
        <p className={classes.note}>
          {t(
            'Of the whole installation. Admins of the provider are told when one is being missed too fast, and when it is over.',
          )}
        </p>
        <DataTable
          label={t('Promises')}
          columns={objectiveColumns}
          rows={found.objectives}
          rowId={({ id }) => id}
          empty={null}
        />
      </section>
      <Answers answers={found.answers} />
      <section>
        <h2 className={classes.title}>{t('Processes')}</h2>
        <DataTable
          label={t('Processes')}
          columns={processColumns}
          rows={found.processes}
          rowId={({ id }) => id}
          empty={
            <EmptyState title={t('Nothing heard yet')}>
              {t('Each process tells how it is every ten seconds.')}
            </EmptyState>
          }
        />
      </section>
      <section>
        <h2 className={classes.title}>{t('Work that waits')}</h2>
        <DataTable
          label={t('Work that waits')}
          columns={queueColumns}
          rows={found.queues}
          rowId={({ kind }) => kind}
          empty={<EmptyState title={t('Nothing waits')}>{t('Every job there was is done.')}</EmptyState>}
        />
      </section>
      <Stores found={found} />
    </div>
  );
}

function StalledNote({ stalled: { since, due, workers } }: { stalled: NonNullable<Operations['stalled']> }) {
  const waiting = plural(
    due,
    '{count} job or schedule is due; it became due',
    '{count} jobs and schedules are due; the oldest became due',
  );
  const advice =
    workers === 0
      ? t('No worker is running. Start a process with ROLE=worker.')
      : plural(
          workers,
          'The one worker that runs takes none. Bring it to the release of the others, or start it anew.',
          'The {count} workers that run take none. Bring all processes to one release, or start them anew.',
        );
  return (
    <div className={classes.stalled} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <p>
        <b>{t('Nobody takes up work')}</b>
        {waiting} <RelativeTime time={since} />. {advice}
      </p>
    </div>
  );
}

function Answers({ answers }: Pick<Operations, 'answers'>) {
  const calls = answers.reduce((sum, { good, bad }) => sum + good + bad, 0);
  const failed = answers.reduce((sum, { bad }) => sum + bad, 0);
  return (
    <Panel title={t('Calls of the API, last hour')} flush>
      <div className={classes.course}>
        <Sparkline values={answers.map(({ good, bad }) => good + bad)} color="var(--air-accent)" />
        <p>
          {failed === 0
            ? plural(calls, '{count} call, none failed', '{count} calls, none failed')
            : plural(calls, '{failed} of {count} call failed', '{failed} of {count} calls failed', { failed })}
        </p>
      </div>
    </Panel>
  );
}

function Stores({ found: { database, event_store: events, archive, outgoing, release } }: { found: Operations }) {
  const databaseFacts: Fact[] = [
    { label: t('Version'), value: database.version },
    { label: t('Size'), value: <Bytes value={database.bytes} /> },
    {
      label: t('Connections'),
      value: t('{connections} of {most}', { connections: database.connections, most: database.connections_max }),
    },
    { label: t('Oldest transaction'), value: <Age seconds={database.oldest_transaction_seconds} /> },
  ];
  return (
    <div className={classes.stores}>
      <Panel title={t('Database')}>
        <KeyFacts facts={databaseFacts} />
      </Panel>
      <Panel title={t('Event store')}>
        {events === null ? (
          <EmptyState title={t('It does not answer')}>
            {t('Events wait where they come in. The log of the server says why.')}
          </EmptyState>
        ) : (
          <KeyFacts
            facts={[
              { label: t('Version'), value: events.version },
              { label: t('Size'), value: <Bytes value={events.bytes} /> },
              { label: t('Events'), value: <Count value={events.events} /> },
              { label: t('Parts on disk'), value: <Count value={events.parts} /> },
            ]}
          />
        )}
      </Panel>
      <Archive archive={archive} />
      <Panel title={t('Going out')}>
        <KeyFacts
          facts={[
            { label: t('Release'), value: release },
            { label: t('Mails waiting'), value: <Count value={outgoing.mails} /> },
            { label: t('Mails given up today'), value: <Count value={outgoing.mails_failed} /> },
            { label: t('Notices waiting'), value: <Count value={outgoing.notices} /> },
          ]}
        />
      </Panel>
    </div>
  );
}

function Archive({ archive }: Pick<Operations, 'archive'>) {
  if (archive === null) {
    return (
      <Panel title={t('Archive')}>
        <EmptyState title={t('None is kept')}>
          {t('What came in since the last backup is lost with the disk. Stores elsewhere are archived where they run.')}
        </EmptyState>
      </Panel>
    );
  }
  const { word, tone, hint } = archiveWords[archive.state];
  return (
    <Panel title={t('Archive')}>
      <KeyFacts
        facts={[
          { label: t('State'), value: <StateBadge word={word} {...(tone === undefined ? {} : { tone })} /> },
          { label: t('Secured until'), value: <MomentOrNone time={archive.secured_until} /> },
          { label: t('Copy of the database'), value: <MomentOrNone time={archive.base_at} /> },
          ...(archive.rebuilt_at == null
            ? []
            : [{ label: t('Progress found again'), value: <RelativeTime time={archive.rebuilt_at} /> }]),
        ]}
      />
      {hint === undefined ? null : <p className={classes.note}>{hint}</p>}
      {archive.rebuilt_at == null ? null : (
        <p className={classes.note}>
          {t(
            'What says how far the log goes (wal/progress.json) was damaged or missing and was taken from the files beside it.',
          )}
        </p>
      )}
    </Panel>
  );
}

function MomentOrNone({ time }: { time: string | null }) {
  return time === null ? '–' : <RelativeTime time={time} />;
}
