import type { Policy } from '@airdeck/contracts/policies/schema';
import { IconBuildings } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { PolicyNote } from '../policy-note.tsx';

/** Of a copy the provider published: what is up to this tenant, and what to this tenant's provider. */
export function ProviderNote({ published }: Pick<Policy, 'published'>) {
  if (published === null) return null;
  return published.overridden ? (
    <PolicyNote icon={IconBuildings} title={t('From your provider, changed here')}>
      {t(
        'It is yours now: what the provider publishes later does not reach it. To follow the provider again, delete it and have it published anew.',
      )}
    </PolicyNote>
  ) : (
    <PolicyNote icon={IconBuildings} title={t('From your provider')}>
      {t(
        "You decide whether it is on and what it starts. The provider renews the rule until you change it; from then on yours stays. The provider's own policy cannot be changed from here.",
      )}
    </PolicyNote>
  );
}
