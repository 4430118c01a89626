import { NativeSelect } from '@mantine/core';
import { Link, type LinkProps, Outlet, useLocation, useMatch, useRouter } from '@tanstack/react-router';
import { Fragment } from 'react';
import { t } from '../../language/translate.ts';
import { refusalFor } from '../../session/access.ts';
import { useSession } from '../../session/app-context.ts';
import classes from './settings.module.css';
import { settingsPages } from './settings-pages.ts';
import { TenantPartsNav } from './tenant/tenant-parts-nav.tsx';

type Target = NonNullable<LinkProps['to']>;

/** Settings: their screens on the left, a select on small screens; what the role may not change is absent. */
export function SettingsLayout() {
  const router = useRouter();
  const session = useSession();
  const pathname = useLocation({ select: (location) => location.pathname });
  const pages = settingsPages.filter(
    ({ to, area }) => hasRoute(router.routesByPath, to) && refusalFor(area, session) === undefined,
  );
  const current = pages.find(({ to }) => pathname.startsWith(to))?.to;
  // The address is ahead of the screen while one loads.
  const tenant = useMatch({ from: '/_dashboard/settings/tenant-settings/', shouldThrow: false });
  return (
    <div className={classes.root}>
      <nav className={classes.nav} aria-label={t('Settings')}>
        {pages.map(({ label, to }) => {
          const parts = to === current ? tenant : undefined;
          return (
            <Fragment key={to}>
              <Link
                to={to as Target}
                className={classes.page}
                aria-current={to === current ? 'page' : undefined}
                data-open={parts === undefined ? undefined : true}
              >
                {label}
              </Link>
              {parts === undefined ? null : <TenantPartsNav panel={parts.search.panel} />}
            </Fragment>
          );
        })}
      </nav>
      <NativeSelect
        className={classes.select ?? ''}
        aria-label={t('Settings')}
        value={current ?? ''}
        data={pages.map(({ label, to }) => ({ label, value: to }))}
        onChange={(event) => void router.navigate({ to: event.currentTarget.value as Target })}
      />
      <div className={classes.content}>
        <Outlet />
      </div>
    </div>
  );
}

/** Paths of the tree end with a slash where the folder has an index. */
function hasRoute(routes: object, path: string): boolean {
  return Object.hasOwn(routes, path) || Object.hasOwn(routes, `${path}/`);
}
