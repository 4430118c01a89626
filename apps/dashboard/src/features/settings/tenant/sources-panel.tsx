import type { EventSource } from '@airdeck/contracts/sources/schema';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sourceKindWords } from '../../../components/source-command.ts';
import { plural } from '../../../language/plural.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { sourceQueries } from '../../../queries/sources.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Count } from '../../../ui/count.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { SourceDialog } from './source-dialog.tsx';
import classes from './tenant.module.css';

const column = columnsFor<EventSource>();

const columns = [
  column.accessor('name', {
    header: t('Name'),
    meta: { phone: 'title', width: '200px' },
    cell: ({ getValue }) => <span className={classes.name}>{getValue()}</span>,
  }),
  column.accessor('kind', {
    header: t('Kind'),
    meta: { width: '136px' },
    cell: ({ getValue }) => sourceKindWords[getValue()].label,
  }),
  column.accessor('url', {
    header: t('Address'),
    cell: ({ getValue }) => (
      <span className={classes.copied}>
        <span className={`air-mono ${classes.cut}`} title={getValue()}>
          {getValue()}
        </span>
        <CopyButton value={getValue()} label={t('Copy address')} />
      </span>
    ),
  }),
  column.accessor('token_hint', {
    header: t('Token'),
    meta: { width: '84px' },
    cell: ({ getValue }) => <span className="air-mono">…{getValue()}</span>,
  }),
  column.accessor('events_24h', {
    header: t('Last 24 h'),
    meta: { width: '92px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  column.accessor('last_event_at', {
    header: t('Last event'),
    meta: { width: '124px', align: 'end' },
    cell: ({ getValue }) => {
      const at = getValue();
      return at === null ? <span className={classes.faint}>{t('None yet')}</span> : <RelativeTime time={at} />;
    },
  }),
];

/** Where events come in, and whether they do. */
export function SourcesPanel() {
  const sources = useQuery(sourceQueries.list(useTenantApi()));
  const [creating, setCreating] = useState(false);
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('Create source')}
    </Button>
  );
  return (
    <>
      <div className={classes.toolbar}>
        <p className={classes.lead}>{t('Each sender gets an address and a token of its own.')}</p>
        {create}
      </div>
      {sources.data !== undefined ? (
        <DataTable
          label={t('Event sources')}
          columns={columns}
          rows={sources.data}
          rowId={({ id }) => id}
          empty={
            <EmptyState title={t('No event source yet')} action={create}>
              {t('A source is where a tool sends its events. Without one there is nothing to detect.')}
            </EmptyState>
          }
          footer={
            <span>
              {tx('{sources} · updated {time}', {
                sources: plural(sources.data.length, '{count} source', '{count} sources'),
                time: <RelativeTime time={new Date(sources.dataUpdatedAt).toISOString()} />,
              })}
            </span>
          }
        />
      ) : sources.isError ? (
        <Panel>
          <ErrorState error={sources.error} onRetry={() => void sources.refetch()} retrying={sources.isFetching} />
        </Panel>
      ) : (
        <Loading label={t('Loading event sources')}>
          <TableSkeleton rows={4} />
        </Loading>
      )}
      {creating ? <SourceDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}
