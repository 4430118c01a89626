import type { EventSource } from '@airdeck/contracts/sources/schema';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconPlus } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { NewSourceForm } from '../../components/source-connect/new-source-form.tsx';
import { Updated } from '../../components/updated.tsx';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { sourceQueries } from '../../queries/sources.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { sourceColumns } from './source-columns.tsx';
import { SourcePanel } from './source-panel.tsx';
import classes from './sources.module.css';

const route = getRouteApi('/_dashboard/integrations/sources');

/** Of the source just made, or whose token was just replaced; gone with the screen. */
type ShownToken = { id: string; token: string };

/** Where events come in: who sends, whether they arrive, and how to connect another sender. */
export function SourcesPage() {
  const { data: sources, dataUpdatedAt } = useSuspenseQuery(sourceQueries.list(useTenantApi()));
  const { source: openId } = route.useSearch();
  const navigate = route.useNavigate();
  const [creating, setCreating] = useState(false);
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState<ShownToken>();
  const open = (source: string | undefined) => void navigate({ search: { source }, replace: true, resetScroll: false });
  const close = () => {
    setShown(undefined);
    open(undefined);
  };
  const opened = sources.find(({ id }) => id === openId);
  // One that was just made may be in no list yet.
  const [asked] = useState(openId);
  const isGone = opened === undefined && openId !== undefined && openId === asked;
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('Create source')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('Event sources')}
        eyebrow={
          <Link to="/integrations" className={classes.back}>
            <IconArrowLeft size={14} aria-hidden /> {t('Integrations')}
          </Link>
        }
        purpose={t('Each sender gets an address and a token of its own. Connect one, and watch its events arrive.')}
        actions={sources.length === 0 ? undefined : create}
      />
      <Losses sources={sources} />
      <DataTable
        label={t('Event sources')}
        columns={sourceColumns}
        rows={sources}
        rowId={({ id }) => id}
        openId={openId}
        onOpen={({ id }) => open(id)}
        empty={
          <EmptyState title={t('No event source yet')} action={create}>
            {t(
              'A source is where a system sends its events. Without one there is nothing to search and nothing to detect.',
            )}
          </EmptyState>
        }
        footer={
          <span>
            {plural(sources.length, '{count} source', '{count} sources')}
            <Updated at={dataUpdatedAt} />
          </span>
        }
      />
      <SidePanel title={t('Event source')} opened={isGone} onClose={close}>
        <EmptyState title={t('No such source')} action={<Button onClick={close}>{t('Back to the list')}</Button>}>
          {t('It was deleted, or belongs to a tenant that is not shown.')}
        </EmptyState>
      </SidePanel>
      {opened === undefined ? null : (
        <SourcePanel
          key={opened.id}
          source={opened}
          token={shown?.id === opened.id ? shown.token : undefined}
          onToken={(token) => setShown({ id: opened.id, token })}
          onClose={close}
        />
      )}
      {creating ? (
        <Dialog
          title={t('Create an event source')}
          onClose={busy ? () => undefined : () => setCreating(false)}
          size={520}
        >
          <NewSourceForm
            onBusy={setBusy}
            onCreated={(made) => {
              setShown(made);
              setCreating(false);
              open(made.id);
            }}
          />
        </Dialog>
      ) : null}
    </>
  );
}

/** Lines nobody can give to a source any more are told here, or nobody would ever know. */
function Losses({ sources }: { sources: readonly EventSource[] }) {
  const lost = Math.max(0, ...sources.map(({ dropped_24h: dropped }) => dropped ?? 0));
  if (lost === 0) return null;
  return (
    <p className={classes.losses} role="status">
      <IconAlertTriangle size={16} aria-hidden />
      <span>
        {tx(
          'The syslog doors lost {lines} in 24 h: senders nobody knows, wrong tokens, lines without an end, or more datagrams than could be taken. Whose they were is not known.',
          { lines: plural(lost, '{count} line', '{count} lines') },
        )}
      </span>
    </p>
  );
}
