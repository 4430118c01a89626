import type { Policy } from '@airdeck/contracts/policies/schema';
import { IconBuildings } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import classes from './publish.module.css';

/** Of a copy the provider published: what is up to this tenant, and what to this tenant's provider. */
export function ProviderNote({ published }: Pick<Policy, 'published'>) {
  if (published === null) return null;
  return (
    <div className={classes.note} role="note">
      <IconBuildings size={16} aria-hidden />
      {published.overridden ? (
        <span>
          <strong>{t('From your provider, changed here')}</strong>
          {t(
            'It is yours now: what the provider publishes later does not reach it. To follow the provider again, delete it and have it published anew.',
          )}
        </span>
      ) : (
        <span>
          <strong>{t('From your provider')}</strong>
          {t(
            "You decide whether it is on and what it starts. The provider renews the rule until you change it; from then on yours stays. The provider's own policy cannot be changed from here.",
          )}
        </span>
      )}
    </div>
  );
}
