import { z } from 'zod';
import { idSchema, timeSchema, toldFields } from '../fields.ts';
import { limits } from '../limits.ts';

/** What people can be told about. A kind is added together with what sends it. */
export const notificationKinds = [
  'case_opened',
  'case_assigned',
  'case_mentioned',
  'sla_warning',
  'sla_breach',
  'prompt_waiting',
  'run_failed',
  'automation_stopped',
  'connector_down',
  'source_silent',
  'domain_unproved',
  'objective_missed',
  'work_stalled',
  'report_ready',
  'account_security',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const notificationChannels = ['in_app', 'mail', 'webhook', 'slack'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time such as 22:00.');
const switches = z.strictObject({
  in_app: z.boolean(),
  mail: z.boolean(),
  webhook: z.boolean(),
  slack: z.boolean(),
});

const quietHours = z.strictObject({ enabled: z.boolean(), from: clock, to: clock });

export const notificationPreferencesSchema = z.strictObject({
  kinds: z.record(z.enum(notificationKinds), switches),
  /** In the user's time zone. All but the app waits until the end; what is urgent for the account does not. */
  quiet_hours: quietHours,
  /** `off` sends each mail at once. */
  digest: z.enum(['off', 'hourly', 'daily']),
  webhook_url: z.union([z.null(), z.url({ protocol: /^https?$/ }).max(2000)]),
});
export type NotificationPreferences = z.output<typeof notificationPreferencesSchema>;

/** Without kinds that came after somebody's choices were stored. */
export type StoredPreferences = Omit<NotificationPreferences, 'kinds'> & {
  kinds: Partial<NotificationPreferences['kinds']>;
};

/**
 * What is left out stays as it is: it may have been changed in another tab, and a dashboard of the release before does not know
 * the newest kinds.
 */
export const notificationPreferencesInputSchema = notificationPreferencesSchema
  .extend({
    kinds: z.partialRecord(z.enum(notificationKinds), switches.partial()),
    quiet_hours: quietHours.partial(),
  })
  .partial();
export type NotificationPreferencesInput = z.output<typeof notificationPreferencesInputSchema>;

export const notificationSchema = z.strictObject({
  id: idSchema,
  kind: z.enum(notificationKinds),
  title: z.string(),
  text: z.string(),
  /** Times the text tells, with the zone of the reader's profile, or in UTC without one. */
  times: z.array(timeSchema).optional(),
  /** Path in the dashboard. */
  link: z.string().nullable(),
  /** Of an open question: one link for each answer, good for the reader alone and only once. */
  answers: z
    .array(
      z.strictObject({
        label: z.string(),
        link: z.string(),
        /** The playbook marks it so; left out otherwise, and by a server of release 1.14.2 or before. */
        danger: z.literal(true).optional(),
      }),
    )
    .optional(),
  created_at: timeSchema,
  read_at: timeSchema.nullable(),
});
export type Notification = z.output<typeof notificationSchema>;

/** `cursor` asks for the next page and is null on the last one. */
export const notificationListSchema = z.strictObject({
  notifications: z.array(notificationSchema),
  /** Among all that are kept. */
  unread: z.number().int(),
  cursor: idSchema.nullable(),
});
export type NotificationList = z.output<typeof notificationListSchema>;

export const notificationsReadSchema = z.strictObject({
  ids: z.array(idSchema).max(limits.listMax).optional(),
  /** The newest that was seen: what came after it stays unread. */
  up_to: idSchema.optional(),
});

/** The key of the `X-AIR-signature` header: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. */
export const webhookSecretSchema = z.strictObject({ secret: z.string() });

/** An address of Slack, or of what takes the same messages; whoever has it can write there, so it is never shown. */
export const slackAddressSchema = z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2000) });

export const channelFailureSchema = z.strictObject({
  channel: z.enum(['webhook', 'slack']),
  at: timeSchema,
  ...toldFields,
});
export type ChannelFailure = z.output<typeof channelFailureSchema>;

export const slackSettingSchema = z.strictObject({
  /** Null until an address was set. */
  slack: z.strictObject({ host: z.string(), set_at: timeSchema }).nullable(),
  /** What a channel's saved address refused for good, when and why; gone with the next call that is taken. A server of release 1.14.2 or before leaves them out. */
  failures: z.array(channelFailureSchema).optional(),
});
export type SlackSetting = z.output<typeof slackSettingSchema>;

/** What came of a test, in words for its owner. */
export const channelTestSchema = z.strictObject({ ok: z.boolean(), ...toldFields });
