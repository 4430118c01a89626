import { UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useTenantName } from '../session/use-current-user.ts';
import { OnDemand } from '../ui/on-demand.tsx';
import classes from './tenant-picker.module.css';

const loadChooser = () => import('./tenant-chooser.tsx').then((module) => module.TenantChooser);

type Props = { collapsed: boolean; onSwitch: (tenantId: string) => void };

/** The current tenant; opens the searchable list of those the user may work in (spec §2). */
export function TenantPicker({ collapsed, onSwitch }: Props) {
  const name = useTenantName();
  return (
    <OnDemand
      load={loadChooser}
      extra={{ onSwitch }}
      button={
        <UnstyledButton
          className={classes.button}
          data-collapsed={collapsed || undefined}
          aria-label={`Select Tenant, now ${name}`}
          aria-haspopup="dialog"
          title={name}
        >
          <span className={classes.mark} aria-hidden="true">
            {[...name][0]}
          </span>
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
