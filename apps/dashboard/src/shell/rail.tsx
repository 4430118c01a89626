import { ActionIcon } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../language/translate.ts';
import { refusalFor } from '../session/access.ts';
import { useSession } from '../session/app-context.ts';
import { useCurrentUser } from '../session/use-current-user.ts';
import { Tip } from '../ui/tip.tsx';
import { footItems, isWithin, type NavItem, navGroups } from './nav-table.ts';
import classes from './rail.module.css';
import { TenantPicker } from './tenant-picker.tsx';

type Props = {
  collapsed: boolean;
  /** Undefined in the drawer, which is never collapsed. */
  onCollapse?: ((collapsed: boolean) => void) | undefined;
  onSwitchTenant: (tenantId: string) => void;
  onNavigate?: () => void;
};

/** Left rail: tenant on top, then the areas. Collapsed it shows icons with their names as tooltips. */
export function Rail({ collapsed, onCollapse, onSwitchTenant, onNavigate }: Props) {
  const session = useSession();
  const several = useCurrentUser().allowed_tenants.length > 1;
  const shows = ({ area, severalTenants }: NavItem) =>
    refusalFor(area, session) === undefined && (several || severalTenants !== true);
  return (
    <div className={classes.root} data-collapsed={collapsed || undefined}>
      <TenantPicker collapsed={collapsed} onSwitch={onSwitchTenant} />
      <nav className={classes.nav} aria-label={t('Areas')}>
        {navGroups.map((group) => {
          const items = group.items.filter(shows);
          return items.length === 0 ? null : (
            <div key={group.label ?? 'top'} className={classes.group}>
              {group.label === undefined ? null : <div className={classes.label}>{group.label}</div>}
              <ul className={classes.items}>
                {items.map((item) => (
                  <li key={item.label}>
                    <RailLink item={item} collapsed={collapsed} onNavigate={onNavigate} />
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
      </nav>
      <div className={classes.foot}>
        <ul className={classes.items}>
          {footItems.filter(shows).map((item) => (
            <li key={item.label}>
              <RailLink item={item} collapsed={collapsed} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
        {onCollapse === undefined ? null : (
          <Tip label={collapsed ? t('Expand') : t('Collapse')} position="right">
            <ActionIcon
              aria-label={collapsed ? t('Expand navigation') : t('Collapse navigation')}
              aria-expanded={!collapsed}
              onClick={() => onCollapse(!collapsed)}
            >
              {collapsed ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
            </ActionIcon>
          </Tip>
        )}
      </div>
    </div>
  );
}

type RailLinkProps = { item: NavItem; collapsed: boolean; onNavigate: (() => void) | undefined };

function RailLink({ item, collapsed, onNavigate }: RailLinkProps) {
  const Icon = item.icon;
  const active = useLocation({ select: ({ pathname }) => isWithin(item, pathname) });
  return (
    <Tip label={item.label} position="right" disabled={!collapsed}>
      <Link
        to={item.to}
        className={classes.link}
        aria-label={collapsed ? item.label : undefined}
        // On its own address the link says so itself.
        {...(active ? { 'data-status': 'active', 'aria-current': 'true' as const } : {})}
        onClick={onNavigate}
      >
        <Icon size={18} stroke={1.75} aria-hidden />
        {collapsed ? null : <span>{item.label}</span>}
      </Link>
    </Tip>
  );
}
