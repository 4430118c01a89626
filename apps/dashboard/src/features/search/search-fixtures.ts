import type { FoundEvent, SearchAnswer, SearchFields } from '@airdeck/contracts/search/schema';

export function foundEvent(number: number, part: Partial<FoundEvent> = {}): FoundEvent {
  const time = new Date(Date.UTC(2026, 10, 21, 10, 0, 0) + number * 1000).toISOString();
  return {
    id: `01920000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    time,
    received_at: time,
    source_id: '01920000-0000-7000-8000-000000000401',
    connector_id: '',
    integration: 'sshd',
    event_type: 'authentication',
    severity: 'medium',
    action: 'login',
    outcome: 'failure',
    host: 'web-1',
    user: 'root',
    src_ip: '192.0.2.7',
    dst_ip: '',
    message: `Event ${number}`,
    fields: {
      port: 4711,
      user: 'original',
      'user agent': 'curl',
      tags: ['a', 'b'],
      deep: { er: [{ x: 1 }, { x: 2 }] },
    },
    raw: `raw line ${number}`,
    ...part,
  };
}

export function searchAnswer(events: FoundEvent[], part: Partial<SearchAnswer> = {}): SearchAnswer {
  return {
    events,
    total: { value: events.length, relation: 'eq' },
    histogram: [
      { t: '2026-11-21T10:00:00.000Z', count: events.length },
      { t: '2026-11-21T11:00:00.000Z', count: 4 },
    ],
    bucket_ms: 3_600_000,
    time_range: {
      start: '2026-11-21T09:00:00.000Z',
      end: '2026-11-21T12:00:00.000Z',
      clipped: false,
      search_length_days: 30,
    },
    cursor: null,
    took_ms: 12,
    partial: false,
    sources: [],
    ...part,
  };
}

export const searchFields: SearchFields = {
  fields: [
    {
      name: 'user',
      kind: 'column',
      count: 90,
      top: [
        { value: 'root', count: 60 },
        { value: 'alice', count: 30 },
      ],
    },
    { name: 'host', kind: 'column', count: 100, top: [{ value: 'web-1', count: 100 }] },
    { name: 'port', kind: 'field', count: 40, top: [{ value: '4711', count: 40 }] },
  ],
  sample: { events: 100, complete: true },
  more_fields: false,
  took_ms: 3,
};
