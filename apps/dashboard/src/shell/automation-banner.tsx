import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../language/translate.ts';
import { tenantQueries } from '../queries/tenants.ts';
import { useAccess } from '../session/access.ts';
import { useTenantApi } from '../session/app-context.ts';
import classes from './automation-banner.module.css';

/** Says above every screen that an Admin switched automation off: nothing of what policies would do happens. */
export function AutomationBanner() {
  const { data: tenant } = useQuery(tenantQueries.state(useTenantApi()));
  const { allowed } = useAccess('tenantSettings');
  if (tenant === undefined || tenant.automation_enabled) return null;
  return (
    <div className={classes.root} role="status">
      <IconPlayerPause size={16} aria-hidden />
      <span>
        {t('Automation is off: cases are opened, but nothing answers them by itself.')}{' '}
        {allowed ? (
          <Link to="/settings/tenant-settings" search={{ panel: 'automation' }}>
            {t('Automation settings')}
          </Link>
        ) : (
          t('An Admin can switch it on.')
        )}
      </span>
    </div>
  );
}
