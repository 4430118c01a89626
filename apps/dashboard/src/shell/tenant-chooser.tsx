import { Drawer, Popover } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { cloneElement, type ReactElement, useState } from 'react';
import { useSession } from '../session/app-context.ts';
import { useCurrentUser } from '../session/use-current-user.ts';
import { NARROW } from './breakpoint.ts';
import { TenantList } from './tenant-list.tsx';
import classes from './tenant-picker.module.css';

type Props = { target: ReactElement; onSwitch: (tenantId: string) => void };

/** The list beside its button; a drawer on narrow screens (spec §2). */
export function TenantChooser({ target, onSwitch }: Props) {
  const [opened, setOpened] = useState(true);
  // Known at once, so that a phone does not flash the popover first.
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const { currentTenant } = useSession();
  const { allowed_tenants, tenants } = useCurrentUser();

  const choose = (tenantId: string) => {
    setOpened(false);
    if (tenantId !== currentTenant) onSwitch(tenantId);
  };
  const button = cloneElement(target as ReactElement<{ onClick: () => void; 'aria-expanded': boolean }>, {
    'aria-expanded': opened,
    onClick: () => setOpened(!opened),
  });
  // By the name a tenant shows itself with; its own name stays searchable.
  const options = allowed_tenants.map(({ id, fullname }) => {
    const { display_name = '', colour = null } = tenants[id]?.brand ?? {};
    return { id, fullname, shown: display_name || fullname, colour };
  });
  const list = <TenantList tenants={options} current={currentTenant} onChoose={choose} />;
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
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Select Tenant">
        {list}
      </Popover.Dropdown>
    </Popover>
  );
}
