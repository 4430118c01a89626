import { NativeSelect } from '@mantine/core';
import { Link, type LinkProps, useLocation, useNavigate } from '@tanstack/react-router';
import classes from './area-tabs.module.css';

export type AreaTab = { readonly label: string; readonly to: NonNullable<LinkProps['to']> };

type Props = {
  /** Name of the area. */
  label: string;
  tabs: readonly AreaTab[];
};

/** Tab bar of an area; a select on small screens. */
export function AreaTabs({ label, tabs }: Props) {
  const navigate = useNavigate();
  const pathname = useLocation({ select: (location) => location.pathname });
  const current = tabs.find(({ to }) => pathname.startsWith(to))?.to;
  return (
    <>
      <nav className={classes.tabs} aria-label={label}>
        {tabs.map((tab) => (
          <Link key={tab.to} to={tab.to} className={classes.tab} aria-current={tab.to === current ? 'page' : undefined}>
            {tab.label}
          </Link>
        ))}
      </nav>
      <NativeSelect
        className={classes.menu ?? ''}
        aria-label={label}
        value={current ?? ''}
        data={tabs.map((tab) => ({ label: tab.label, value: tab.to }))}
        onChange={(event) => {
          const chosen = tabs.find(({ to }) => to === event.currentTarget.value);
          if (chosen !== undefined) void navigate({ to: chosen.to });
        }}
      />
    </>
  );
}
