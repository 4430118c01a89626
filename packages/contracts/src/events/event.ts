/**
 * One normalised event: the common columns every parser fills where the original has them (empty string where it does
 * not), with every original field kept in `fields` and the original text in `raw`.
 */
export type ParsedEvent = {
  /** Milliseconds since the epoch; the receive time where the original has no usable time (`time_source` says which). */
  time: number;
  /** `unbelievable` stands for the receive time, too: the original's own one lies before 1990 or more than a day ahead. */
  time_source: 'event' | 'received' | 'unbelievable';
  /** Slug of the integration the event belongs to: `sshd`, `okta`, `fortigate`, `generic`. */
  integration: string;
  /** What kind of event inside the integration: `authentication`, `traffic`, `log`. */
  event_type: string;
  /** Lower case: `debug`, `info`, `notice`, `low`, `medium`, `high`, `critical`, or empty. */
  severity: string;
  message: string;
  host: string;
  user: string;
  src_ip: string;
  dst_ip: string;
  /** What was done, in snake case: `login`, `connect`, `block`. */
  action: string;
  /** `success`, `failure` or empty. */
  outcome: string;
  /** Every original field; values as the source typed them. */
  fields: Record<string, unknown>;
  raw: string;
};

/** An event as it is stored and evaluated: parsed, owned, identified. */
export type StoredEvent = ParsedEvent & {
  id: string;
  tenant: string;
  source: string;
  batch: string;
  connector_id: string;
  /** Milliseconds since the epoch. */
  received_at: number;
};

/** The columns a policy or search may name directly; anything else is looked up in `fields`. */
export const eventColumns = [
  'time',
  'integration',
  'event_type',
  'severity',
  'message',
  'host',
  'user',
  'src_ip',
  'dst_ip',
  'action',
  'outcome',
  'raw',
] as const;
export type EventColumn = (typeof eventColumns)[number];
