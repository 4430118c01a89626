import type {
  NotificationChannel,
  NotificationKind,
  NotificationPreferences,
} from '@airdeck/contracts/notifications/schema';

/** Each kind with its name and what sets it off. */
export const kindWords: Readonly<Record<NotificationKind, { label: string; text: string }>> = {
  case_opened: { label: 'A case opens', text: 'A policy matched and opened a case in one of your tenants.' },
  case_assigned: { label: 'A case is assigned to you', text: 'Somebody, or an automation, made you its owner.' },
  case_mentioned: { label: 'Somebody mentions you', text: 'A comment on a case names you.' },
  sla_warning: { label: 'A case is soon due', text: 'A quarter of the time to respond or to close it is left.' },
  sla_breach: { label: 'A case is late', text: 'Nobody responded, or it was not closed, in time.' },
  prompt_waiting: { label: 'A playbook waits for you', text: 'A run stops at a question you may answer.' },
  run_failed: {
    label: 'A run fails',
    text: 'A playbook or action you started, or automation you look after, ended in an error.',
  },
  connector_down: {
    label: 'A connector is down',
    text: 'It refuses us or cannot be reached; told again once it works. For System Managers and Admins.',
  },
  source_silent: {
    label: 'An event source falls silent',
    text: 'Two hours without events where it sends steadily, otherwise a day. For System Managers and Admins.',
  },
  domain_unproved: {
    label: 'A sign-in domain loses its proof',
    text: 'The DNS record of an e-mail domain of single sign-on is gone. For Admins.',
  },
  report_ready: {
    label: 'A report is ready',
    text: 'An executive report you asked for can be downloaded, or could not be made.',
  },
  account_security: {
    label: 'Your account changes',
    text: 'New sign-in, password, authenticator or passkey. Not held back by quiet hours.',
  },
};

export const channelWords: Readonly<Record<NotificationChannel, { label: string; by: string }>> = {
  in_app: { label: 'In the app', by: 'in the app' },
  mail: { label: 'E-mail', by: 'by e-mail' },
  webhook: { label: 'Webhook', by: 'by webhook' },
  slack: { label: 'Slack', by: 'in Slack' },
};

export const digestOptions: readonly { value: NotificationPreferences['digest']; label: string; text: string }[] = [
  { value: 'off', label: 'One by one', text: 'Each mail leaves at once. Of many in a minute the rest is one mail.' },
  { value: 'hourly', label: 'Every hour', text: 'One mail an hour with everything since the last one.' },
  { value: 'daily', label: 'Once a day', text: 'One mail a day with everything since the last one.' },
];

export function withSwitch(
  preferences: NotificationPreferences,
  kind: NotificationKind,
  change: Partial<Record<NotificationChannel, boolean>>,
): NotificationPreferences {
  return { ...preferences, kinds: { ...preferences.kinds, [kind]: { ...preferences.kinds[kind], ...change } } };
}

/** Whether saving would change anything; the order of keys says nothing. */
export function isSame(one: NotificationPreferences, other: NotificationPreferences): boolean {
  return canonical(one) === canonical(other);
}

export type PreferenceProblems = { webhook_url?: string; quiet_hours?: string };

/** What stands in the way of saving; the server judges again. */
export function problemsOf({ webhook_url, quiet_hours, kinds }: NotificationPreferences): PreferenceProblems {
  const usesWebhook = Object.values(kinds).some(({ webhook }) => webhook);
  const problem =
    webhook_url === null ? (usesWebhook ? needed : undefined) : isWebAddress(webhook_url) ? undefined : wrongAddress;
  return {
    ...(problem === undefined ? {} : { webhook_url: problem }),
    ...(quiet_hours.enabled && quiet_hours.from === quiet_hours.to
      ? { quiet_hours: 'Begin and end are the same. Choose two different times.' }
      : {}),
  };
}

const needed = 'Enter the address, or switch the webhook off for every event above.';
export const wrongAddress = 'Enter a whole address, such as https://hooks.example.com/air.';

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
