import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import { Button } from '@mantine/core';
import { IconFolderPlus, IconListSearch, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../language/translate.ts';
import { graylogQueries } from '../../queries/graylog.ts';
import type { EventDefinition, GraylogAlert } from '../../queries/graylog-answers.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { CopyBlock } from '../../ui/copy-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { dateFormat, useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { caseOf, messagesOf } from './alert-hand-over.ts';
import { titleOf } from './alert-rows.ts';
import classes from './graylog.module.css';
import { PriorityBadge } from './priority-badge.tsx';

const NewCaseDialog = lazy(() =>
  import('../../components/new-case/new-case-dialog.tsx').then((module) => ({ default: module.NewCaseDialog })),
);

type Props = {
  graylog: ConnectorSummary;
  /** Undefined when it is not among those that are loaded. */
  alert: GraylogAlert | undefined;
  /** The list it would be in is still on its way. */
  searching: boolean;
  opened: boolean;
  onClose: () => void;
};

/** One alert: what it says, and what can be done about it. */
export function AlertPanel({ graylog, alert, searching, opened, onClose }: Props) {
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        alert === undefined ? (
          t('Alert')
        ) : (
          <span className={classes.panelHead}>
            {titleOf(alert)}
            <PriorityBadge priority={alert.priority} variant="framed" />
          </span>
        )
      }
    >
      {alert !== undefined ? (
        <Alert key={alert.id} graylog={graylog} alert={alert} />
      ) : searching ? (
        <Loading label={t('Loading alert')}>
          <TextSkeleton lines={8} />
        </Loading>
      ) : (
        <EmptyState title={t('This alert is not in the list')}>
          {t('Choose a longer period, or load older alerts, to find it again.')}
        </EmptyState>
      )}
    </SidePanel>
  );
}

/** Minutes apart, so that what it is relative to says nothing. */
const lookedAt = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;

function Alert({ graylog, alert }: { graylog: ConnectorSummary; alert: GraylogAlert }) {
  // What the alert leaves open, its definition may say.
  const { data } = useQuery(graylogQueries.definitions(useTenantApi()));
  const definition = data?.definitions.find(({ id }) => id === alert.event_definition_id);
  const reader = useReader();
  const { timerange_start: start, timerange_end: end } = alert;
  const hasFields = Object.keys(alert.fields).length > 0;
  return (
    <div className={classes.sections}>
      {alert.message === null ? null : <p className={classes.words}>{alert.message}</p>}
      <Buttons graylog={graylog} alert={alert} definition={definition} />
      <KeyFacts
        facts={[
          {
            label: t('Raised##alert'),
            value: alert.timestamp === null ? null : <RelativeTime time={alert.timestamp} />,
          },
          { label: t('Event definition'), value: <DefinitionLink alert={alert} definition={definition} /> },
          { label: t('Source##alert'), value: alert.source },
          { label: t('Key'), value: alert.key },
          {
            label: t('Looked at'),
            value:
              start === null || end === null
                ? null
                : dateFormat(reader, lookedAt).formatRange(new Date(start), new Date(end)),
          },
          { label: t('Streams'), value: alert.streams.join(', ') },
          { label: t('Techniques'), value: alert.techniques.join(', ') },
          {
            label: t('Id'),
            value: (
              <span className={classes.id}>
                <span className="air-mono">{alert.id}</span>
                <CopyButton value={alert.id} label={t('Copy id')} />
              </span>
            ),
          },
        ]}
      />
      {alert.query === null && definition?.query == null ? null : (
        <CopyBlock
          title={t('Search behind it')}
          label={t('Copy the search')}
          text={alert.query ?? definition?.query ?? ''}
        />
      )}
      {hasFields ? (
        <section>
          <h3 className={classes.sectionTitle}>{t('Fields')}</h3>
          <JsonTree value={alert.fields} label={t('Fields of the alert')} />
        </section>
      ) : null}
    </div>
  );
}

type ButtonsProps = { graylog: ConnectorSummary; alert: GraylogAlert; definition: EventDefinition | undefined };

function Buttons({ graylog, alert, definition }: ButtonsProps) {
  const navigate = useNavigate();
  const search = useAccess('search');
  const work = useAccess('airWork');
  const automation = useAccess('graylogAutomation');
  const [opening, setOpening] = useState(false);
  const messages = messagesOf(alert, { query: definition?.query ?? null });
  return (
    <div className={classes.buttons}>
      <GuardedButton
        reason={
          search.reason ?? (messages === undefined ? t('Graylog does not say which messages these are.') : undefined)
        }
        variant="default"
        leftSection={<IconListSearch size={16} aria-hidden />}
        onClick={() =>
          messages !== undefined && void navigate({ to: '/search', search: { connector_id: graylog.id, ...messages } })
        }
      >
        {t('Search its messages')}
      </GuardedButton>
      <GuardedButton
        reason={work.reason}
        variant="default"
        leftSection={<IconFolderPlus size={16} aria-hidden />}
        onClick={() => setOpening(true)}
      >
        {t('Make a case')}
      </GuardedButton>
      {definition !== undefined && automation.allowed ? (
        <Button
          component={Link}
          to={`/graylog/automation-settings/new?event_id=${encodeURIComponent(definition.id)}`}
          variant="default"
          leftSection={<IconRoute size={16} aria-hidden />}
        >
          {t('Automate')}
        </Button>
      ) : null}
      <CopyButton value={JSON.stringify(alert, undefined, 2)} label={t('Copy the alert as JSON')} />
      {opening ? (
        <Suspense fallback={null}>
          <NewCaseDialog given={caseOf(alert)} onClose={() => setOpening(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

function DefinitionLink({ alert, definition }: Pick<ButtonsProps, 'alert' | 'definition'>) {
  if (definition === undefined)
    return alert.title ?? (alert.event_definition_id === null ? null : t('Deleted since##definition'));
  return (
    <Link className={classes.link} to="/graylog/event-definitions" search={{ action: definition.id }}>
      {definition.title}
    </Link>
  );
}
