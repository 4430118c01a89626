import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../language/translate.ts';
import { tenantQueries } from '../queries/tenants.ts';
import { useAccess } from '../session/access.ts';
import { useTenantApi } from '../session/app-context.ts';
import classes from './paused-banner.module.css';

/** Says above every screen why nothing happens by itself: after a restore, or because an Admin switched automation off. */
export function PausedBanner() {
  const { data: tenant } = useQuery(tenantQueries.state(useTenantApi()));
  const { allowed } = useAccess('tenantSettings');
  if (tenant === undefined) return null;
  if (tenant.is_fenced) return <Fenced canLift={allowed && tenant.is_provider} />;
  if (tenant.automation_enabled) return null;
  return (
    <Paused>
      {t('Automation is off: cases are opened, but nothing answers them by itself.')}{' '}
      {allowed ? (
        <Link to="/settings/tenant-settings" search={{ panel: 'automation' }}>
          {t('Automation settings')}
        </Link>
      ) : (
        t('An Admin can switch it on.')
      )}
    </Paused>
  );
}

const LIFT = 'npm exec airdeck -- restore --lift-fence';

/** It is lifted on the machine, by who put the backup back. */
function Fenced({ canLift }: { canLift: boolean }) {
  return (
    <Paused>
      {t('Restored from a backup: nothing is sent and no action runs until the operator of this installation lets it.')}{' '}
      {canLift && (
        <>
          {t('When the old installation is off for good, run:')} <code>{LIFT}</code>
        </>
      )}
    </Paused>
  );
}

function Paused({ children }: { children: ReactNode }) {
  return (
    <div className={classes.root} role="status">
      <IconPlayerPause size={16} aria-hidden />
      <span>{children}</span>
    </div>
  );
}
