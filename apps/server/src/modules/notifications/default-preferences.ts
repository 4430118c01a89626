import {
  type NotificationKind,
  type NotificationPreferences,
  type NotificationPreferencesInput,
  notificationChannels,
  notificationKinds,
  type StoredPreferences,
} from '@airdeck/contracts/notifications/schema';

/**
 * Release 1.14.2 answers `/me` with an error to whoever has stored a word about these. Nothing is, while it is as for everybody:
 * while both releases work, or after going back, that is nearly everyone. To be dropped when 1.14.2 is not the release before.
 */
const unknownToReleaseBefore: ReadonlySet<NotificationKind> = new Set([
  'automation_stopped',
  'objective_missed',
  'work_stalled',
]);

const noChannel = { in_app: false, mail: false, webhook: false, slack: false };
const inApp = { in_app: true, mail: false, webhook: false, slack: false };
const inAppAndMail = { in_app: true, mail: true, webhook: false, slack: false };

/** What counts until a user first changes something. */
export const defaultPreferences: NotificationPreferences = {
  kinds: {
    case_opened: inApp,
    case_assigned: inAppAndMail,
    case_mentioned: inAppAndMail,
    sla_warning: inApp,
    sla_breach: inAppAndMail,
    prompt_waiting: inAppAndMail,
    run_failed: inApp,
    automation_stopped: inAppAndMail,
    connector_down: inAppAndMail,
    source_silent: inApp,
    domain_unproved: inAppAndMail,
    objective_missed: inAppAndMail,
    work_stalled: inAppAndMail,
    report_ready: inApp,
    account_security: inAppAndMail,
  },
  quiet_hours: { enabled: false, from: '22:00', to: '07:00' },
  digest: 'off',
  webhook_url: null,
};

/** Kinds that came after somebody's choices were stored are as for everybody; channels that did are off. */
export function withDefaults(stored: StoredPreferences | null): NotificationPreferences {
  if (stored === null) return defaultPreferences;
  const chosen = Object.entries(stored.kinds).map(([kind, switches]) => [kind, { ...noChannel, ...switches }]);
  return { ...stored, kinds: { ...defaultPreferences.kinds, ...Object.fromEntries(chosen) } };
}

/** What their owner sees: a kind that a newer release stored could not be sent back to this one. */
export function shownPreferences(stored: StoredPreferences | null): NotificationPreferences {
  const { kinds, ...rest } = withDefaults(stored);
  const known = Object.fromEntries(notificationKinds.map((kind) => [kind, kinds[kind]]));
  return { ...rest, kinds: { ...defaultPreferences.kinds, ...known } };
}

/** What the owner says nothing of stays as it is, also kinds of a newer release. */
export function changedPreferences(
  stored: StoredPreferences | null,
  { kinds: switched = {}, quiet_hours = {}, ...rest }: NotificationPreferencesInput,
): StoredPreferences {
  const known = withDefaults(stored);
  const kinds = { ...known.kinds };
  for (const kind of notificationKinds) kinds[kind] = withGiven(kinds[kind], switched[kind] ?? {});
  const asBefore: StoredPreferences['kinds'] = { ...kinds };
  for (const kind of unknownToReleaseBefore) if (isAsForEverybody(kind, kinds[kind])) delete asBefore[kind];
  return { ...withGiven(known, rest), quiet_hours: withGiven(known.quiet_hours, quiet_hours), kinds: asBefore };
}

function withGiven<T extends object>(known: T, change: { readonly [K in keyof T]?: T[K] | undefined }): T {
  return { ...known, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) };
}

function isAsForEverybody(kind: NotificationKind, chosen: NotificationPreferences['kinds'][NotificationKind]): boolean {
  return notificationChannels.every((channel) => chosen[channel] === defaultPreferences.kinds[kind][channel]);
}
