import { Drawer, Loader } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveUpdates } from '../lib/live-updates.ts';
import { useApp, useTenantApi } from '../session/app-context.ts';
import { SWITCH_OVERLAY_MS, switchTenant } from '../session/switch-tenant.ts';
import classes from './app-frame.module.css';
import { Rail } from './rail.tsx';
import { TopBar } from './top-bar.tsx';

const COLLAPSED_KEY = 'airdeck.rail';

/** Frame of the dashboard: rail, top bar, and the screen. */
export function AppFrame() {
  const app = useApp();
  const navigate = useNavigate();
  const live = useLiveUpdates(useTenantApi());
  const [collapsed, setCollapsed] = useState(() => app.storage.getItem(COLLAPSED_KEY) === 'collapsed');
  const [drawer, setDrawer] = useState(false);
  const [switching, setSwitching] = useState(false);

  const collapse = (next: boolean) => {
    app.storage.setItem(COLLAPSED_KEY, next ? 'collapsed' : 'open');
    setCollapsed(next);
  };
  const switchTo = async (tenantId: string) => {
    setDrawer(false);
    setSwitching(true);
    try {
      const shown = new Promise((resolve) => setTimeout(resolve, SWITCH_OVERLAY_MS));
      const switched = await switchTenant(app, tenantId);
      await shown;
      if (switched) await navigate({ to: '/home' });
    } finally {
      setSwitching(false);
    }
  };

  return (
    <div className={classes.root} data-collapsed={collapsed || undefined}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.rail} aria-label="Navigation">
        <Rail collapsed={collapsed} onCollapse={collapse} onSwitchTenant={(id) => void switchTo(id)} />
      </aside>
      <Drawer
        opened={drawer}
        onClose={() => setDrawer(false)}
        size={280}
        withCloseButton={false}
        padding={0}
        aria-label="Navigation"
        classNames={{ body: classes.drawerBody ?? '', content: classes.drawerContent ?? '' }}
      >
        <Rail collapsed={false} onSwitchTenant={(id) => void switchTo(id)} onNavigate={() => setDrawer(false)} />
      </Drawer>
      <div className={classes.column}>
        <TopBar live={live} onOpenNavigation={() => setDrawer(true)} />
        {/* While switching, screens of the previous tenant are gone: they would ask for their ids in the new one. */}
        <main id="content" className={classes.main} tabIndex={-1}>
          {switching ? (
            <div className={classes.switching} role="status">
              <Loader size="sm" />
              Switching tenant…
            </div>
          ) : (
            <div className={classes.page}>
              <Outlet />
            </div>
          )}
        </main>
      </div>
      <Notifications position="bottom-right" limit={4} autoClose={6000} />
    </div>
  );
}
