import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { believableTime } from './event-time.ts';
import type { Reception } from './format.ts';

/** An event of which nothing is known but that it arrived: what a line no parser takes is kept as. */
export function blankEvent({ receivedAt, raw }: Reception): ParsedEvent {
  return {
    time: receivedAt,
    time_source: 'received',
    integration: 'generic',
    event_type: 'log',
    severity: '',
    message: '',
    host: '',
    user: '',
    src_ip: '',
    dst_ip: '',
    action: '',
    outcome: '',
    fields: {},
    raw,
  };
}

/** Gives the event its own time, unless that is missing or cannot be true. */
export function setTime(event: ParsedEvent, time: number | undefined, { receivedAt }: Reception): void {
  const believed = believableTime(time, receivedAt);
  if (believed === undefined) {
    if (time !== undefined && event.time_source === 'received') event.time_source = 'unbelievable';
    return;
  }
  event.time = believed;
  event.time_source = 'event';
}

/**
 * Makes what a format read the fields of the event; what the header said stays where the format has no such name. The record
 * must be the format's own: a copy by spreading costs more than all the reading before it.
 */
export function takeFields(event: ParsedEvent, fields: Record<string, unknown>): void {
  for (const name of Object.keys(event.fields)) {
    if (!Object.hasOwn(fields, name)) fields[name] = event.fields[name];
  }
  event.fields = fields;
}
