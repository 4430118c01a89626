import type { SealedSecret, WrappedKey } from '@airdeck/connector-kit/secrets';
import type { Told } from '@airdeck/contracts/filled-text';
import type { NotificationChannel, NotificationKind } from '@airdeck/contracts/notifications/schema';
import type { ColumnType, Generated } from 'kysely';
import type { Said } from './notice-texts.ts';
import type { Audience } from './notifications-port.ts';
import type { Question } from './question-links.ts';

type Text = { kind: NotificationKind; title: string; text: string; link: string | null; created_at: Date };
/** Set while the question it tells of is open. */
type Asked = {
  prompt_id: ColumnType<string | null, string | null | undefined, null>;
  question: ColumnType<Question | null, Question | string | null | undefined, null>;
};

/** Channels people read themselves: in a storm they get one message for all of it. */
export type PacedChannel = 'mail' | 'slack';

export type NotificationsTables = {
  /** What happened and was not told to anybody yet: one row, however many people will hear of it. */
  notification_event: Text &
    Asked & {
      id: string;
      tenant_id: string;
      audience: ColumnType<Audience, string, never>;
      /** Title and text by locale, in other languages than English. */
      said: ColumnType<Said, string | undefined, never>;
      /** Times the text tells, which it has in UTC: readers with a time zone get theirs. */
      times: ColumnType<Date[], string[] | undefined, never>;
    };
  /** What people see in the dashboard. The id on the wire is the event's: a user hears of an event once. */
  notification: Text &
    Asked & {
      event_id: string;
      tenant_id: string;
      user_id: string;
      read_at: Date | null;
      /** Times the text tells, in the zone of the reader's profile, or in UTC without one. */
      times: Generated<Date[]>;
    };
  /** What still has to go out; gone once it did or was given up. */
  notification_delivery: Text &
    Asked & {
      event_id: string;
      user_id: string;
      channel: Exclude<NotificationChannel, 'in_app'>;
      tenant_id: string;
      /** Not before; where somebody is called also the end of the lease of whoever is calling now. */
      due_at: Date;
      attempts: ColumnType<number, number | undefined, number>;
      /** It had to wait: what waited goes out together. */
      held: Generated<boolean>;
      /** Of Slack: being sent now. Past its lease nobody knows whether it was. */
      in_flight: Generated<boolean>;
    };
  /** Questions that are over; here until everybody's notices of them are done with. */
  notification_end: { id: string; tenant_id: string; prompt_id: string };
  /** How many single mails or messages a user got in the running minute. */
  notification_pace: { user_id: string; channel: PacedChannel; window_start: Date; sent: number };
  /** Where the messages of a user go; the address is a secret, its host is what is shown of it. */
  notification_slack: {
    user_id: string;
    host: string;
    wrapped_key: ColumnType<WrappedKey, string, string>;
    sealed_url: ColumnType<SealedSecret, string, string>;
    set_at: Date;
  };
  /** What a user's channel refused for good last; `address` tells which address that was. */
  notification_failure: {
    user_id: string;
    channel: 'webhook' | 'slack';
    address: string;
    at: Date;
    told: ColumnType<Told, string, string>;
  };
  /** Which of a user's derived signing secrets counts; without a row the first one. */
  notification_webhook_key: { user_id: string; version: string; created_at: Date };
  /** From where, and with what, a user has signed in; a hash of both. */
  known_device: { user_id: string; fingerprint: string; last_seen_at: Date };
};
