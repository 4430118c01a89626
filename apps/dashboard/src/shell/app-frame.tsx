import { Loader } from '@mantine/core';
import { getRouteApi, Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ConfirmationHost } from '../components/confirmation/confirmation-host.tsx';
import { t } from '../language/translate.ts';
import { showError, toasts } from '../lib/toasts.ts';
import { useApp, useTenantApi } from '../session/app-context.ts';
import { SWITCH_OVERLAY_MS, switchTenant } from '../session/switch-tenant.ts';
import { switchQuestions, TenantSwitchProvider } from '../session/tenant-switch.ts';
import { useCurrentUser } from '../session/use-current-user.ts';
import { OneStepLater } from '../ui/one-step-later.tsx';
import { type Reader, ReaderProvider, readerOf } from '../ui/reader.ts';
import classes from './app-frame.module.css';
import { isRailCollapsed, keepRail } from './collapsed-rail.ts';
import { LiveUpdates } from './live-state.tsx';
import { InFrame } from './message-page.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { PausedBanner } from './paused-banner.tsx';
import { QuickKeys, type QuickKeysHandle } from './quick-keys.tsx';
import { Rail } from './rail.tsx';
import { ScreenPending } from './screen-pending.tsx';
import { Toaster } from './toaster.tsx';
import { TopBar } from './top-bar.tsx';
import { usePrefetchOnEntry } from './use-prefetch.ts';
import { useProfileLanguage } from './use-profile-language.ts';

const NavDrawer = lazy(() => import('./nav-drawer.tsx').then((module) => ({ default: module.NavDrawer })));

// Nobody is about to be signed out in the first minutes, or has come from another screen.
const LaterParts = lazy(() => import('./later-parts.tsx').then((module) => ({ default: module.LaterParts })));

const route = getRouteApi('/_dashboard');

/**
 * Frame of the dashboard, while there is a session. Once it is over nothing of it is drawn any more: until the next screen has
 * loaded it would ask anew for what was forgotten.
 */
export function AppFrame() {
  const { session } = useApp();
  return useSyncExternalStore(session.subscribe, session.get) === undefined ? (
    <ScreenPending waited={false} />
  ) : (
    <Frame />
  );
}

/** Rail, top bar, and the screen. */
function Frame() {
  const { storage } = useApp();
  const { tenantId } = useTenantApi();
  const [collapsed, setCollapsed] = useState(() => isRailCollapsed(storage));
  const [drawer, setDrawer] = useState<'unused' | 'open' | 'closed'>('unused');
  const quickKeys = useRef<QuickKeysHandle>(null);
  const { switching, switchTo } = useSwitching();
  const shownTenant = route.useRouteContext({ select: (context) => context.shownTenant });
  usePrefetchOnEntry();
  const reader = useProfileReader();
  useProfileLanguage();

  const collapse = (next: boolean) => {
    keepRail(storage, next);
    setCollapsed(next);
  };
  const closeDrawer = () => setDrawer('closed');
  const switchFromDrawer = (tenantId: string) => {
    closeDrawer();
    switchTo(tenantId);
  };
  return (
    <ReaderProvider value={reader}>
      <TenantSwitchProvider value={switchTo}>
        <LiveUpdates>
          <div className={classes.root} data-collapsed={collapsed || undefined}>
            <a href="#content" className={classes.skip}>
              {t('Skip to content')}
            </a>
            <aside className={classes.rail} aria-label={t('Navigation')}>
              <Rail collapsed={collapsed} onCollapse={collapse} onSwitchTenant={switchTo} />
            </aside>
            {drawer === 'unused' ? null : (
              <Suspense fallback={null}>
                <NavDrawer opened={drawer === 'open'} onClose={closeDrawer}>
                  <Rail collapsed={false} onSwitchTenant={switchFromDrawer} onNavigate={closeDrawer} />
                </NavDrawer>
              </Suspense>
            )}
            <div className={classes.column}>
              <TopBar onOpenNavigation={() => setDrawer('open')} onJump={() => quickKeys.current?.openPalette()} />
              <main id="content" className={classes.main} tabIndex={-1}>
                <OfflineBanner />
                <PausedBanner />
                <Suspense fallback={null}>
                  <LaterParts />
                </Suspense>
                {/* Screens of the previous tenant are gone while switching: they would ask for their ids in the new one. */}
                {switching || shownTenant !== tenantId ? (
                  <Switching />
                ) : (
                  <div key={shownTenant} className={classes.page}>
                    <OneStepLater meanwhile={<ScreenPending waited={false} />}>
                      <InFrame value>
                        <Outlet />
                      </InFrame>
                      <RestoreScroll />
                    </OneStepLater>
                  </div>
                )}
              </main>
            </div>
            <QuickKeys ref={quickKeys} onSwitchTenant={switchTo} />
            <Toaster />
            <ConfirmationHost />
          </div>
        </LiveUpdates>
      </TenantSwitchProvider>
    </ReaderProvider>
  );
}

/**
 * The router moves a page to where it was left, or to what its address names, when it has drawn: then the screen is still to
 * come. It does so again when it is told that there is something to move.
 */
function RestoreScroll() {
  const router = useRouter();
  useLayoutEffect(() => {
    const moved = { pathChanged: true, hrefChanged: true, hashChanged: true };
    router.emit({ type: 'onRendered', toLocation: router.latestLocation, ...moved });
  }, [router]);
  return null;
}

function Switching() {
  return (
    <div className={classes.switching} role="status">
      <Loader size="sm" />
      {t('Switching tenant…')}
    </div>
  );
}

/** Locale and zone of the profile; the same object until they change, as formatters are made per reader. */
function useProfileReader(): Reader {
  const { locale, timezone } = useCurrentUser().user;
  return useMemo(() => readerOf({ locale, timezone }), [locale, timezone]);
}

function useSwitching() {
  const app = useApp();
  const navigate = useNavigate();
  const [switching, setSwitching] = useState(false);
  const run = async (tenantId: string) => {
    setSwitching(true);
    try {
      const shown = new Promise((resolve) => setTimeout(resolve, SWITCH_OVERLAY_MS));
      const switched = await switchTenant(app, tenantId);
      await shown;
      if (switched) await navigate({ to: '/home' });
      else toasts.add({ message: t('You are not a member of that tenant.'), danger: true });
    } catch (error) {
      // Which tenants there are could not be asked; the screen stays in this one.
      showError(error);
    } finally {
      setSwitching(false);
    }
  };
  const switchTo = (tenantId: string) => {
    // One question stands for everything on the screen.
    const [ask] = switchQuestions;
    if (ask === undefined) void run(tenantId);
    else ask(() => void run(tenantId));
  };
  return { switching, switchTo };
}
