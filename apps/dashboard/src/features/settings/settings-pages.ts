import { t } from '../../language/translate.ts';
import type { Area } from '../../session/access.ts';

/** Screens of the settings (spec §2), in order; each shows once its route exists. */
export const settingsPages: readonly { readonly label: string; readonly to: string; readonly area: Area }[] = [
  { label: t('Profile'), to: '/settings/profile', area: 'signedIn' },
  { label: t('Notifications'), to: '/settings/notifications', area: 'signedIn' },
  { label: t('Term dates'), to: '/settings/term-dates', area: 'termDates' },
  { label: t('Tenant settings'), to: '/settings/tenant-settings', area: 'tenantSettings' },
  { label: t('Contact directory'), to: '/settings/contact-directory', area: 'contactDirectory' },
];
