import { UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { TenantMark } from '../components/tenant-mark.tsx';
import { t } from '../language/translate.ts';
import { tenantQueries } from '../queries/tenants.ts';
import { useSession, useTenantApi } from '../session/app-context.ts';
import { useCurrentUser, useTenantName } from '../session/use-current-user.ts';
import { OnDemand } from '../ui/on-demand.tsx';
import classes from './tenant-picker.module.css';

const loadChooser = () => import('./tenant-chooser.tsx').then((module) => module.TenantChooser);

type Props = { collapsed: boolean; onSwitch: (tenantId: string) => void };

/** The current tenant; opens the searchable list of those the user may work in (spec §2). */
export function TenantPicker({ collapsed, onSwitch }: Props) {
  const { currentTenant } = useSession();
  const brand = useCurrentUser().tenants[currentTenant]?.brand;
  const fullname = useTenantName();
  const name = brand?.display_name || fullname;
  const { data: tenant } = useQuery(tenantQueries.state(useTenantApi()));
  return (
    <OnDemand
      load={loadChooser}
      extra={{ onSwitch }}
      button={
        <UnstyledButton
          className={classes.button}
          data-tenant-picker
          data-collapsed={collapsed || undefined}
          aria-label={t('Select Tenant, now {name}', { name })}
          aria-haspopup="dialog"
          title={name}
        >
          <TenantMark name={name} colour={brand?.colour ?? null} logo={tenant?.brand.logo} />
          {collapsed ? null : (
            <>
              <span className={classes.name}>{name}</span>
              <IconSelector size={16} className={classes.chevron} aria-hidden />
            </>
          )}
        </UnstyledButton>
      }
    />
  );
}
