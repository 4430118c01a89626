import { roleLabels } from '@airdeck/contracts/access/roles';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { avatarInitialsOf } from '@airdeck/domain/initials';
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { known, t } from '../../../language/translate.ts';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { StateBadge } from '../state-badge.tsx';
import classes from './tenant.module.css';
import { authenticatorWord, userStatusLooks } from './user-looks.ts';

const column = columnsFor<TenantUser>();

export const userColumns = [
  column.accessor('fullname', {
    header: t('Name'),
    meta: { phone: 'title' },
    cell: ({ row }) => <PersonCell of={row.original} />,
  }),
  column.accessor('role', {
    header: t('Role'),
    meta: { width: '190px' },
    cell: ({ row: { original } }) => (
      <span className={classes.inline}>
        {known(roleLabels[original.role])}
        {original.from_provider ? <StateBadge word={t('Provider')} /> : null}
      </span>
    ),
  }),
  column.accessor('status', {
    header: t('Status'),
    meta: { width: '104px', phone: 'badge' },
    cell: ({ getValue }) => <StatusBadge look={userStatusLooks[getValue()]} variant="plain" />,
  }),
  column.accessor('mfa_enabled', {
    header: t('Authenticator'),
    meta: { width: '136px' },
    cell: ({ row }) => <Authenticator of={row.original} />,
  }),
  column.accessor('last_sign_in_at', {
    header: t('Last sign-in'),
    meta: { width: '128px', align: 'end' },
    cell: ({ getValue }) => {
      const at = getValue();
      return at === null ? <span className={classes.faint}>{t('Never')}</span> : <RelativeTime time={at} />;
    },
  }),
];

function PersonCell({ of: { fullname, uname } }: { of: TenantUser }) {
  return (
    <span className={classes.person}>
      <span className={classes.avatar} aria-hidden="true">
        {avatarInitialsOf(uname)}
      </span>
      <span className={classes.names}>
        <span className={classes.name} title={fullname}>
          {fullname}
        </span>
        <span className={classes.faint} title={uname}>
          {uname}
        </span>
      </span>
    </span>
  );
}

export function Authenticator({ of }: { of: TenantUser }) {
  const missing = of.mfa_enabled === false && of.status !== 'invited';
  const Icon = missing ? IconShieldOff : IconShieldCheck;
  return (
    <span className={classes.inline} data-warn={missing || undefined} data-faint={of.mfa_enabled !== true || undefined}>
      {of.mfa_enabled === true || missing ? <Icon size={14} aria-hidden /> : null}
      {authenticatorWord(of)}
    </span>
  );
}
