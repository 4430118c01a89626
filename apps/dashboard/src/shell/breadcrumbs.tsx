import { type Breadcrumb, breadcrumbsOf } from '@airdeck/domain/breadcrumbs';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { t } from '../language/translate.ts';
import { useProduct, withRegisteredMark } from '../lib/product.ts';
import { useIsPhone } from '../ui/use-is-phone.ts';
import classes from './breadcrumbs.module.css';
import { footItems } from './nav-table.ts';

type To = NonNullable<LinkProps['to']>;

/** Where areas without a screen of their own lead: from there they are no way back. */
const firstScreens: readonly string[] = ['/settings/profile', '/activity/actions', '/air/overview'];

/** Where one is, from the address (spec §2). Narrow screens have room for the last of it, and a way back. */
export function Breadcrumbs() {
  const { shortName } = useProduct();
  const pathname = useLocation({ select: (location) => location.pathname });
  const narrow = useIsPhone();
  const crumbs = breadcrumbsOf(pathname).map(({ label, path }) => ({
    path,
    label: nameOf({ label, path }, shortName),
  }));
  const back = narrow ? wayBack(crumbs, pathname) : undefined;
  return (
    <nav aria-label={t('Breadcrumbs')} className={classes.root}>
      <ol>
        {back === undefined ? null : (
          <li className={classes.back}>
            <Link to={back.path as To} aria-label={t('Back to {label}', { label: back.label })}>
              <IconChevronLeft size={18} aria-hidden />
            </Link>
          </li>
        )}
        {crumbs.slice(narrow ? -1 : 0).map(({ label, path }, index, shown) => (
          <li key={path}>
            {index === shown.length - 1 ? (
              <span aria-current="page">{label}</span>
            ) : (
              // Every prefix of an address is an address: areas redirect to their first screen.
              <Link to={path as To}>{label}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** As the rail calls it, where its name is not that of the address. */
function nameOf({ label, path }: Breadcrumb, shortName: string): string {
  // Its address is an id, and its name is the title of the screen.
  if (/^\/integrations\/new\/own_[0-9a-f]{32}$/.test(path)) return t('Imported');
  if (path.startsWith('/integrations/new/')) return withRegisteredMark(label.replaceAll('_', ' '), shortName);
  return footItems.find(({ to }) => to === path)?.label ?? withRegisteredMark(label, shortName);
}

/** The nearest crumb that is another screen than this one: of a detail page that is its list, the last crumb. */
function wayBack(crumbs: readonly Breadcrumb[], pathname: string): Breadcrumb | undefined {
  const here = pathname.replace(/\/$/, '');
  return firstScreens.includes(here) ? undefined : crumbs.findLast(({ path }) => path !== here);
}
