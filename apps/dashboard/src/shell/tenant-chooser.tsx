import type { ReactElement } from 'react';
import { t } from '../language/translate.ts';
import { useSession } from '../session/app-context.ts';
import { useCurrentUser, useTenantName } from '../session/use-current-user.ts';
import { OpenedBeside } from './opened-beside.tsx';
import { TenantList } from './tenant-list.tsx';
import classes from './tenant-picker.module.css';

type Props = { target: ReactElement; onSwitch: (tenantId: string) => void };

/** The tenants one may work in, beside the button with the present one. */
export function TenantChooser({ target, onSwitch }: Props) {
  const { currentTenant, isOwnerTenant } = useSession();
  const fullname = useTenantName();
  const { allowed_tenants, tenants, user } = useCurrentUser();
  const hasSeveral = allowed_tenants.length > 1;
  // By the name a tenant shows itself with; its own name stays searchable.
  const options = allowed_tenants.map(({ id, fullname: full }) => {
    const { display_name = '', colour = null } = tenants[id]?.brand ?? {};
    return { id, fullname: full, shown: display_name || full, colour, own: hasSeveral && id === user.tenant };
  });
  return (
    <OpenedBeside
      target={target}
      title={t('Select Tenant')}
      popover={{ position: 'bottom-start', width: 280, className: classes.dropdown }}
      drawer={{ size: '70%' }}
    >
      {(close) => (
        <>
          <div className={classes.head}>
            <h2 className={classes.fullname}>{fullname}</h2>
            {hasSeveral && isOwnerTenant ? <span className={classes.quiet}>{t('your own')}</span> : null}
          </div>
          <TenantList
            tenants={options}
            current={currentTenant}
            onChoose={(tenantId) => {
              close();
              if (tenantId !== currentTenant) onSwitch(tenantId);
            }}
          />
        </>
      )}
    </OpenedBeside>
  );
}
