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
  if (believed === undefined) return;
  event.time = believed;
  event.time_source = 'event';
}
