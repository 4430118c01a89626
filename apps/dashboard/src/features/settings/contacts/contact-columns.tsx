import { caseSeverities } from '@airdeck/contracts/statuses';
import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { createContext, use } from 'react';
import { severityLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { channelWords, kindWords, mailLink, phoneLink } from './contact-fields.ts';
import type { ContactRow } from './contact-rows.ts';
import classes from './contacts.module.css';

export type Direction = 'up' | 'down';

/** What the arrows of a row do; given by the page, as columns stand at module scope. */
export const MoveContext = createContext<(row: ContactRow, direction: Direction) => void>(() => undefined);

const column = columnsFor<ContactRow>();

const place = column.accessor('escalation_order', {
  header: t('Escalation'),
  meta: { width: '124px' },
  cell: ({ row }) => <Place of={row.original} />,
});

const name = column.accessor('name', {
  header: t('Contact'),
  meta: { phone: 'title' },
  cell: ({ row: { original } }) => (
    <span className={classes.name}>
      <span className={classes.fullname}>{original.name}</span>
      {original.job_title === '' ? null : <span className={classes.title}>{original.job_title}</span>}
    </span>
  ),
});

const tenant = column.accessor('tenantName', {
  header: t('Tenant'),
  meta: { width: '150px' },
  cell: ({ getValue }) => <span className={classes.tenant}>{getValue()}</span>,
});

const others = [
  column.accessor('kind', {
    header: t('Kind'),
    meta: { width: '96px' },
    cell: ({ getValue }) => kindWords[getValue()],
  }),
  column.display({
    id: 'reach',
    header: t('Reach'),
    meta: { width: '232px' },
    cell: ({ row: { original } }) => (
      <span className={classes.reach}>
        <a href={mailLink(original.email)} className={classes.link} title={original.email}>
          {original.email}
        </a>
        {original.phone === '' ? null : (
          <a href={phoneLink(original.phone)} className={classes.link}>
            {original.phone}
          </a>
        )}
      </span>
    ),
  }),
  column.accessor('notify', {
    header: t('Wants to know'),
    meta: { width: '150px' },
    cell: ({ row: { original } }) => <Wish contact={original} />,
  }),
];

export const contactColumns = [place, name, ...others];

/** With contacts of several tenants. */
export const contactColumnsByTenant = [place, name, tenant, ...others];

function Place({ of: row }: { of: ContactRow }) {
  const move = use(MoveContext);
  const { escalation_order: at, places } = row;
  if (at === null) {
    return (
      <span className={classes.faint} data-empty>
        –
      </span>
    );
  }
  return (
    <span className={classes.place}>
      <span className={classes.number}>{at}</span>
      {places < 2 ? null : (
        <span className={classes.arrows}>
          <MoveButton
            label={t('Move {name} up', { name: row.name })}
            end={at === 1}
            icon={IconArrowUp}
            onMove={() => move(row, 'up')}
          />
          <MoveButton
            label={t('Move {name} down', { name: row.name })}
            end={at === places}
            icon={IconArrowDown}
            onMove={() => move(row, 'down')}
          />
        </span>
      )}
    </span>
  );
}

type MoveProps = { label: string; end: boolean; icon: typeof IconArrowUp; onMove: () => void };

/** At the end of the list it stays reachable: a button that vanishes under the finger takes the focus with it. */
function MoveButton({ label, end, icon: Icon, onMove }: MoveProps) {
  return (
    <ActionIcon
      size={24}
      className={classes.move ?? ''}
      aria-label={label}
      title={label}
      {...(end ? { 'data-disabled': true, 'aria-disabled': true } : { onClick: onMove })}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}

/** What the server goes by: of the escalation, whoever wished nothing gets mail about everything. */
function wishOf({ notify, escalation_order: place }: ContactRow): ContactRow['notify'] {
  const isSilent = notify.case_severities.length === 0 && notify.channels.length === 0;
  return isSilent && place !== null ? { case_severities: [...caseSeverities], channels: ['email'] } : notify;
}

function Wish({ contact }: { contact: ContactRow }) {
  const { case_severities: severities, channels } = wishOf(contact);
  if (severities.length === 0 || channels.length === 0) {
    return (
      <span className={classes.faint} data-empty>
        –
      </span>
    );
  }
  const wanted = caseSeverities.filter((each) => severities.includes(each)).toReversed();
  const cases =
    wanted.length === caseSeverities.length
      ? t('All cases')
      : wanted.map((each) => severityLooks[each].word).join(', ');
  return (
    <span className={classes.reach}>
      <span>{cases}</span>
      <span className={classes.title}>{channels.map((channel) => channelWords[channel]).join(', ')}</span>
    </span>
  );
}
