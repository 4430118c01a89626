import type {
  NotificationChannel,
  NotificationKind,
  NotificationPreferences,
} from '@airdeck/contracts/notifications/schema';
import { t } from '../../../language/translate.ts';

/** Each kind with its name and what sets it off. */
export const kindWords: Readonly<Record<NotificationKind, { label: string; text: string }>> = {
  case_opened: { label: t('A case opens'), text: t('A policy matched and opened a case in one of your tenants.') },
  case_assigned: { label: t('A case is assigned to you'), text: t('Somebody, or an automation, made you its owner.') },
  case_mentioned: { label: t('Somebody mentions you'), text: t('A comment on a case names you.') },
  sla_warning: { label: t('A case is soon due'), text: t('A quarter of the time to respond or to close it is left.') },
  sla_breach: { label: t('A case is late'), text: t('Nobody responded, or it was not closed, in time.') },
  prompt_waiting: { label: t('A playbook waits for you'), text: t('A run stops at a question you may answer.') },
  run_failed: {
    label: t('A run fails'),
    text: t('A playbook or action you started, or automation you look after, ended in an error.'),
  },
  automation_stopped: {
    label: t('An automation is stopped'),
    text: t('It started more within ten minutes than it may, perhaps by making itself what starts it.'),
  },
  connector_down: {
    label: t('A connector is down'),
    text: t('It refuses us or cannot be reached; told again once it works. For System Managers and Admins.'),
  },
  source_silent: {
    label: t('An event source falls silent'),
    text: t('Two hours without events where it sends steadily, otherwise a day. For System Managers and Admins.'),
  },
  domain_unproved: {
    label: t('A sign-in domain loses its proof'),
    text: t('The DNS record of an e-mail domain of single sign-on is gone. For Admins.'),
  },
  objective_missed: {
    label: t('The installation breaks a promise'),
    text: t('Calls fail, or events and runs are late, more often than promised. For Admins of the provider.'),
  },
  work_stalled: {
    label: t('Nobody takes up work'),
    text: t('No worker takes any of what is due; told again once one does. For Admins of the provider.'),
  },
  report_ready: {
    label: t('A report is ready'),
    text: t('An executive report you asked for can be downloaded, or could not be made.'),
  },
  account_security: {
    label: t('Your account changes'),
    text: t('New sign-in, password, authenticator or passkey. Not held back by quiet hours.'),
  },
};

export const channelWords: Readonly<Record<NotificationChannel, { label: string; by: string }>> = {
  in_app: { label: t('In the app'), by: t('in the app') },
  mail: { label: t('E-mail'), by: t('by e-mail') },
  webhook: { label: t('Webhook'), by: t('by webhook') },
  slack: { label: t('Slack'), by: t('in Slack') },
};

export const digestOptions: readonly { value: NotificationPreferences['digest']; label: string; text: string }[] = [
  {
    value: 'off',
    label: t('One by one'),
    text: t('Each mail leaves at once. Of many in a minute the rest is one mail.'),
  },
  { value: 'hourly', label: t('Every hour'), text: t('One mail an hour with everything since the last one.') },
  { value: 'daily', label: t('Once a day'), text: t('One mail a day with everything since the last one.') },
];

export function withSwitch(
  preferences: NotificationPreferences,
  kind: NotificationKind,
  change: Partial<Record<NotificationChannel, boolean>>,
): NotificationPreferences {
  return { ...preferences, kinds: { ...preferences.kinds, [kind]: { ...preferences.kinds[kind], ...change } } };
}

type Change<T> = { [K in keyof T]?: T[K] extends object ? Change<T[K]> : T[K] };

/** What differs, and nothing else; the order of keys says nothing. */
export function changeOf<T extends object>(from: T, to: T): Change<T> {
  const before = new Map<string, unknown>(Object.entries(from));
  const parts = Object.entries(to).flatMap(([name, value]): [string, unknown][] => {
    const known = before.get(name);
    if (!isObject(value) || !isObject(known)) return value === known ? [] : [[name, value]];
    const part = changeOf(known, value);
    return isNothing(part) ? [] : [[name, part]];
  });
  return Object.fromEntries(parts) as Change<T>;
}

export function withChange<T extends object>(known: T, change: Change<T>): T {
  const before = new Map<string, unknown>(Object.entries(known));
  const parts = Object.entries(change).map(([name, value]) => {
    const was = before.get(name);
    return [name, isObject(value) && isObject(was) ? withChange(was, value) : value];
  });
  return { ...known, ...Object.fromEntries(parts) };
}

export function isNothing(change: object): boolean {
  return Object.keys(change).length === 0;
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
      ? { quiet_hours: t('Begin and end are the same. Choose two different times.') }
      : {}),
  };
}

const needed = t('Enter the address, or switch the webhook off for every event above.');
export const wrongAddress = t('Enter a whole address, such as https://hooks.example.com/air.');

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
