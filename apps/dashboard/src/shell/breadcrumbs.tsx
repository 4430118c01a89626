import { breadcrumbsOf } from '@airdeck/domain/breadcrumbs';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { useProduct, withRegisteredMark } from '../lib/product.ts';
import classes from './breadcrumbs.module.css';

/** Where one is, from the address (spec §2). */
export function Breadcrumbs() {
  const { shortName } = useProduct();
  const pathname = useLocation({ select: (location) => location.pathname });
  const crumbs = breadcrumbsOf(pathname);
  return (
    <nav aria-label="Breadcrumbs" className={classes.root}>
      <ol>
        {crumbs.map(({ label, path }, index) => (
          <li key={path}>
            {index === crumbs.length - 1 ? (
              <span aria-current="page">{withRegisteredMark(label, shortName)}</span>
            ) : (
              // Every prefix of an address is an address: areas redirect to their first screen.
              <Link to={path as NonNullable<LinkProps['to']>}>{withRegisteredMark(label, shortName)}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
