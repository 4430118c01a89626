import { Drawer, Popover, Tooltip, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../session/app-context.ts';
import { useCurrentUser, useTenantName } from '../session/use-current-user.ts';
import { NARROW } from './breakpoint.ts';
import { TenantList } from './tenant-list.tsx';
import classes from './tenant-picker.module.css';

type Props = { collapsed: boolean; onSwitch: (tenantId: string) => void };

/** The current tenant, and the searchable list of those the user may work in; a drawer on narrow screens (spec §2). */
export function TenantPicker({ collapsed, onSwitch }: Props) {
  const [opened, setOpened] = useState(false);
  const narrow = useMediaQuery(NARROW) ?? false;
  const { currentTenant } = useSession();
  const { allowed_tenants } = useCurrentUser();
  const name = useTenantName();

  const choose = (tenantId: string) => {
    setOpened(false);
    if (tenantId !== currentTenant) onSwitch(tenantId);
  };
  const button = (
    <UnstyledButton
      className={classes.button}
      data-collapsed={collapsed || undefined}
      aria-label={`Select Tenant, now ${name}`}
      aria-haspopup="dialog"
      aria-expanded={opened}
      onClick={() => setOpened(!opened)}
    >
      <span className={classes.mark} aria-hidden="true">
        {[...name][0]}
      </span>
      {collapsed ? null : (
        <>
          <span className={classes.name} title={name}>
            {name}
          </span>
          <IconSelector size={16} className={classes.chevron} aria-hidden />
        </>
      )}
    </UnstyledButton>
  );
  const list = <TenantList tenants={allowed_tenants} current={currentTenant} onChoose={choose} />;

  if (narrow) {
    return (
      <>
        {button}
        <Drawer
          opened={opened}
          onClose={() => setOpened(false)}
          title="Select Tenant"
          position="bottom"
          size="70%"
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          {list}
        </Drawer>
      </>
    );
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={name} position="right" disabled={!collapsed}>
          {button}
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Select Tenant">
        {list}
      </Popover.Dropdown>
    </Popover>
  );
}
