import type { Tenant } from '@airdeck/contracts/tenants/schema';
import { IconPlayerPause } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../language/translate.ts';
import classes from './banner.module.css';

const LIFT = 'npm exec airdeck -- restore --lift-fence';

/** After a restore. The fence is lifted on the machine, by who put the backup back. */
export function FencedNote({ canLift }: { canLift: boolean }) {
  return (
    <Note>
      {t('Restored from a backup: nothing is sent and no action runs until the operator of this installation lets it.')}{' '}
      {canLift && (
        <>
          {t('When the old installation is off for good, run:')} <code>{LIFT}</code>
        </>
      )}
    </Note>
  );
}

type AutomationOffProps = { canSwitch: boolean; subscription: Tenant['subscription'] };

export function AutomationOffNote({ canSwitch, subscription }: AutomationOffProps) {
  // Then no Admin can switch it on.
  if (subscription === 'suspended' || subscription === 'ended') {
    return (
      <Note>
        {subscription === 'suspended'
          ? t('The Azure subscription is suspended: automation, search and managed detection are off.')
          : t('The Azure subscription has ended: automation, search and managed detection are off.')}{' '}
        {t('See to it in the Azure portal.')}
      </Note>
    );
  }
  return (
    <Note>
      {t('Automation is off: cases are opened, but nothing answers them by itself.')}{' '}
      {canSwitch ? (
        <Link to="/settings/tenant-settings" search={{ panel: 'automation' }}>
          {t('Automation settings')}
        </Link>
      ) : (
        t('An Admin can switch it on.')
      )}
    </Note>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div className={classes.root} role="status">
      <IconPlayerPause size={16} aria-hidden />
      <span>{children}</span>
    </div>
  );
}
