import { type Breadcrumb, breadcrumbsOf } from '@airdeck/domain/breadcrumbs';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, type LinkProps, useLocation, useParams } from '@tanstack/react-router';
import { known, t } from '../language/translate.ts';
import { useProduct, withRegisteredMark } from '../lib/product.ts';
import { useIsPhone } from '../ui/use-is-phone.ts';
import classes from './breadcrumbs.module.css';
import { footItems } from './nav-table.ts';

type To = NonNullable<LinkProps['to']>;

/** A way up is not the page that is shown, though its address begins like that. */
const exactly = { exact: true };

/** Where areas without a screen of their own lead: from there they are no way back. */
const firstScreens: readonly string[] = ['/settings/profile', '/activity/actions', '/air/overview'];

/** Where one is, from the address (spec §2). Narrow screens have room for the last of it, and a way back. */
export function Breadcrumbs() {
  const { shortName } = useProduct();
  const here = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') });
  const narrow = useIsPhone();
  // Names somebody gave are no words of ours.
  const given = Object.values(useParams({ strict: false })).flatMap((value) =>
    breadcrumbsOf(`/${encodeURIComponent(String(value))}`).map(({ label }) => label),
  );
  const crumbs = breadcrumbsOf(here).map(({ label, path }) => ({
    path,
    label: nameOf({ label: given.includes(label) ? label : known(label), path }, shortName),
  }));
  const back = narrow ? wayBack(crumbs, here) : undefined;
  return (
    <nav aria-label={t('Breadcrumbs')} className={classes.root}>
      <ol>
        {back === undefined ? null : (
          <li className={classes.back}>
            <Link to={back.path as To} activeOptions={exactly} aria-label={t('Back to {label}', { label: back.label })}>
              <IconChevronLeft size={18} aria-hidden />
            </Link>
          </li>
        )}
        {crumbs.slice(narrow ? -1 : 0).map(({ label, path }) => (
          <li key={path}>
            {path === here ? (
              <span aria-current="page">{label}</span>
            ) : (
              // Every prefix of an address is an address: areas redirect to their first screen.
              <Link to={path as To} activeOptions={exactly}>
                {label}
              </Link>
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
  if (/^\/integrations\/new\/own_[0-9a-f]{32}$/.test(path)) return t('Imported##one');
  if (path.startsWith('/integrations/new/')) return withRegisteredMark(label.replaceAll('_', ' '), shortName);
  return footItems.find(({ to }) => to === path)?.label ?? withRegisteredMark(label, shortName);
}

/** The nearest crumb that is another screen than this one: of a detail page that is its list, the last crumb. */
function wayBack(crumbs: readonly Breadcrumb[], here: string): Breadcrumb | undefined {
  return firstScreens.includes(here) ? undefined : crumbs.findLast(({ path }) => path !== here);
}
