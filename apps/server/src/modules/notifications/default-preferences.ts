import type { NotificationPreferences } from '@airdeck/contracts/notifications/schema';

const inApp = { in_app: true, mail: false, webhook: false };
const inAppAndMail = { in_app: true, mail: true, webhook: false };

/** What counts until a user first changes something. */
export const defaultPreferences: NotificationPreferences = {
  kinds: {
    case_opened: inApp,
    case_assigned: inAppAndMail,
    prompt_waiting: inAppAndMail,
    run_failed: inApp,
    account_security: inAppAndMail,
  },
  quiet_hours: { enabled: false, from: '22:00', to: '07:00' },
  digest: 'off',
  webhook_url: null,
};
