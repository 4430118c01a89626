import type { ReactElement } from 'react';
import { t } from '../language/translate.ts';
import { useSession } from '../session/app-context.ts';
import { useCurrentUser } from '../session/use-current-user.ts';
import { OpenedBeside } from './opened-beside.tsx';
import { TenantList } from './tenant-list.tsx';
import classes from './tenant-picker.module.css';

type Props = { target: ReactElement; onSwitch: (tenantId: string) => void };

/** The tenants one may work in, beside the button with the present one. */
export function TenantChooser({ target, onSwitch }: Props) {
  const { currentTenant } = useSession();
  const { allowed_tenants, tenants } = useCurrentUser();
  // By the name a tenant shows itself with; its own name stays searchable.
  const options = allowed_tenants.map(({ id, fullname }) => {
    const { display_name = '', colour = null } = tenants[id]?.brand ?? {};
    return { id, fullname, shown: display_name || fullname, colour };
  });
  return (
    <OpenedBeside
      target={target}
      title={t('Select Tenant')}
      popover={{ position: 'bottom-start', width: 280, className: classes.dropdown }}
      drawer={{ size: '70%' }}
    >
      {(close) => (
        <TenantList
          tenants={options}
          current={currentTenant}
          onChoose={(tenantId) => {
            close();
            if (tenantId !== currentTenant) onSwitch(tenantId);
          }}
        />
      )}
    </OpenedBeside>
  );
}
