import { Button, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { defined, filtersOf } from '../../../lib/search-params.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { contactColumns, contactColumnsByTenant, type Direction, MoveContext } from './contact-columns.tsx';
import { type ContactDirectorySearch, NEW_CONTACT } from './contact-directory-search.ts';
import type { PanelSubject } from './contact-panel.tsx';
import { type ContactRow, contactRows, placesOf } from './contact-rows.ts';
import classes from './contacts.module.css';
import { useDirectory } from './use-directory.ts';
import { useKeptFocus, useMoves } from './use-moves.ts';

const ContactPanel = lazy(() => import('./contact-panel.tsx').then((module) => ({ default: module.ContactPanel })));

const route = getRouteApi('/_dashboard/settings/contact-directory/');

type Change = { [K in keyof ContactDirectorySearch]?: ContactDirectorySearch[K] | undefined };

/** People outside the product: whom to call, in which order, and how. */
export function ContactDirectoryPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const directory = useDirectory(search.filters?.tenant);
  const change = (part: Change, options: { replace?: boolean; ignoreBlocker?: boolean } = {}) =>
    void navigate({ search: (before) => defined({ ...before, ...part }), resetScroll: false, ...options });
  const rows = contactRows(directory.loaded, search.q);
  const list = useRef<HTMLDivElement>(null);
  // The panel stays while it closes, to slide out.
  const [panelId, setPanelId] = useState(search.user);
  if (search.user !== undefined && search.user !== panelId) setPanelId(search.user);

  const closePanel = (options: { ignoreBlocker?: boolean } = {}) => {
    list.current?.querySelector<HTMLElement>('[data-row][data-open]')?.focus();
    change({ user: undefined }, options);
  };
  const add = () => change({ user: NEW_CONTACT });
  // With nobody listed, the empty table teaches the next step with the same button.
  const isEmpty = !directory.waiting && directory.loaded.length > 0 && rows.length === 0 && search.q === undefined;
  return (
    <>
      <PageHeader
        title={t('Contact directory')}
        purpose={t('Whom to call when something happens, and in which order.')}
        actions={
          isEmpty ? undefined : (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
              {t('Add contact')}
            </Button>
          )
        }
      />
      <FilterBar
        q={search.q}
        searchLabel={t('Search contacts')}
        onSearch={(q) => change({ q }, { replace: true })}
        facets={tenantFacet(directory)}
        onFacet={(_, tenant) => change({ filters: filtersOf({ tenant }) }, { replace: true })}
      />
      {directory.failures.map(({ tenant, list: failed }) => (
        <div key={tenant.id} className={classes.failed}>
          <Panel {...(directory.tenants.length > 1 ? { title: tenant.fullname } : {})}>
            <ErrorState error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
          </Panel>
        </div>
      ))}
      {directory.waiting ? (
        <Loading label={t('Loading contacts')}>
          <TableSkeleton rows={6} />
        </Loading>
      ) : directory.loaded.length > 0 ? (
        <div ref={list}>
          <ContactTable
            rows={rows}
            severalTenants={directory.tenants.length > 1}
            openId={search.user}
            readAt={directory.readAt}
            filtered={search.q !== undefined}
            onOpen={({ id }) => change({ user: id })}
            onClear={() => change({ q: undefined }, { replace: true })}
            onAdd={add}
          />
        </div>
      ) : null}
      {panelId === undefined || directory.waiting ? null : (
        <Suspense fallback={null}>
          <ContactPanel
            subject={subjectOf(panelId, directory)}
            opened={search.user !== undefined}
            onClose={closePanel}
            onDone={() => closePanel({ ignoreBlocker: true })}
          />
        </Suspense>
      )}
    </>
  );
}

type TableProps = {
  rows: readonly ContactRow[];
  severalTenants: boolean;
  openId: string | undefined;
  /** Milliseconds since the epoch. */
  readAt: number;
  filtered: boolean;
  onOpen: (row: ContactRow) => void;
  onClear: () => void;
  onAdd: () => void;
};

function ContactTable({ rows, severalTenants, openId, readAt, filtered, onOpen, onClear, onAdd }: TableProps) {
  const { said, move } = useMoves();
  const keepFocus = useKeptFocus();
  const moveRow = (row: ContactRow, direction: Direction) => {
    keepFocus(document.activeElement);
    move(row, direction);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const pressed = { ArrowUp: 'up', ArrowDown: 'down' } as const;
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    const all = [...event.currentTarget.querySelectorAll('[data-row]')];
    const row = rows[all.findIndex((element) => element.contains(document.activeElement))];
    if (row === undefined) return;
    event.preventDefault();
    moveRow(row, pressed[event.key]);
  };
  return (
    <MoveContext value={moveRow}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears keys of the rows inside, which take the focus */}
      <div onKeyDown={onKeyDown}>
        <DataTable
          label={t('Contacts')}
          columns={severalTenants ? contactColumnsByTenant : contactColumns}
          rows={rows}
          rowId={({ id }) => id}
          onOpen={onOpen}
          openId={openId}
          empty={<NoContacts filtered={filtered} onClear={onClear} onAdd={onAdd} />}
          footer={
            <>
              <span>
                {tx('{contacts} · updated {time}', {
                  contacts: plural(rows.length, '{count} contact', '{count} contacts'),
                  time: <RelativeTime time={new Date(readAt).toISOString()} />,
                })}
              </span>
              {rows.some(({ places }) => places > 1) ? (
                <span>{t('Alt + ↑ or ↓ moves a row in the escalation')}</span>
              ) : null}
            </>
          }
        />
      </div>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </MoveContext>
  );
}

function NoContacts({ filtered, onClear, onAdd }: Pick<TableProps, 'filtered' | 'onClear' | 'onAdd'>) {
  if (filtered) {
    return (
      <EmptyState title={t('No contact matches')} action={<Button onClick={onClear}>{t('Clear search')}</Button>}>
        {t('No name, address, number or note has this text.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('No contacts yet')} action={<Button onClick={onAdd}>{t('Add contact')}</Button>}>
      {t('Add the people to call when a case is serious: first the one who may decide, then who stands in.')}
    </EmptyState>
  );
}

type Directory = ReturnType<typeof useDirectory>;

/** Only for those who are Admin in several tenants. */
function tenantFacet({ choices, tenants }: Directory) {
  if (choices.length < 2) return [];
  const options = choices.map(({ id, fullname }) => ({ value: id, label: fullname }));
  return [{ id: 'tenant', label: t('Tenant'), options, selected: tenants.map(({ id }) => id) }];
}

function subjectOf(id: string, { tenants, loaded }: Directory): PanelSubject {
  if (id === NEW_CONTACT) {
    const places = (tenant: string) => placesOf(loaded.find(({ tenantId }) => tenantId === tenant)?.contacts ?? []);
    return { kind: 'new', tenants: tenants.map((each) => ({ ...each, places: places(each.id) })) };
  }
  // Also one that the search text leaves out.
  const row = contactRows(loaded, undefined).find((contact) => contact.id === id);
  return row === undefined ? { kind: 'gone' } : { kind: 'contact', row };
}
