import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import type { LiveState } from '../lib/live-updates.ts';
import classes from './app-frame.module.css';
import { AppearanceMenu } from './appearance-menu.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import { UserMenu } from './user-menu.tsx';

type Props = { live: LiveState; onOpenNavigation: () => void };

export function TopBar({ live, onOpenNavigation }: Props) {
  return (
    <header className={classes.topBar}>
      <ActionIcon className={classes.burger} aria-label="Open navigation" onClick={onOpenNavigation}>
        <IconMenu2 size={20} />
      </ActionIcon>
      <Breadcrumbs />
      <div className={classes.tools}>
        <LiveIndicator live={live} />
        <AppearanceMenu />
        <UserMenu />
      </div>
    </header>
  );
}
