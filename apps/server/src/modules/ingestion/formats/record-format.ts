import type { ParsedEvent } from '@airdeck/contracts/events/event';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** What is known of a record besides its content: when it came in (milliseconds since the epoch), and its text. */
export type RecordOrigin = { receivedAt: number; raw: string };

/** The events a record holds, or why there is none. */
export type RecordReader = (record: JsonRecord, origin: RecordOrigin) => Iterable<ParsedEvent> | string;

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
