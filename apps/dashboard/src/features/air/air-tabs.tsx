import { NativeSelect } from '@mantine/core';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import classes from './case-list.module.css';

/** Tabs of the area (spec §2); each joins with its screen. */
const airTabs = [
  { label: 'Overview', to: '/air/overview' },
  { label: 'Case management', to: '/air/case-management' },
  { label: 'Policy management', to: '/air/policy-management' },
  { label: 'Automation settings', to: '/air/automation-settings' },
] as const;

/** Tab bar of the incident-response area; a select on small screens. */
export function AirTabs() {
  const navigate = useNavigate();
  const pathname = useLocation({ select: (location) => location.pathname });
  const current = airTabs.find(({ to }) => pathname.startsWith(to))?.to;
  // One tab is no choice.
  if (airTabs.length < 2) return null;
  return (
    <>
      <nav className={classes.tabs} aria-label="Incident response">
        {airTabs.map(({ label, to }) => (
          <Link key={to} to={to} className={classes.tab} aria-current={to === current ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <NativeSelect
        className={classes.tabsMenu ?? ''}
        aria-label="Incident response"
        value={current ?? ''}
        data={airTabs.map(({ label, to }) => ({ label, value: to }))}
        onChange={(event) => {
          const chosen = airTabs.find(({ to }) => to === event.currentTarget.value);
          if (chosen !== undefined) void navigate({ to: chosen.to });
        }}
      />
    </>
  );
}
