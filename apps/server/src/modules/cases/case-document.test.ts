import type { CaseExport } from '@airdeck/contracts/cases/schema';
import { describe, expect, it } from 'vitest';
import { textOfPdf } from '../../pdf/pdf-text-fixture.ts';
import { layOutCase } from './case-document.ts';
import { type CaseDocumentOrder, EVENTS_ON_PAPER } from './case-document-order.ts';

const AT = '2026-10-05T08:30:00.000Z';
const id = (number: number) => `01957000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const theCase: CaseExport['case'] = {
  ...{ id: id(1), tenant: id(2), alert_id: id(1), policy_id: id(3), reference: 'CASE-42' },
  ...{ alert_name: 'SSH password guessing', alert_description: 'Many failures from one address.' },
  severity_history: [{ severity: 'high', at: AT, username: 'system' }],
  ...{ alert_type: 'policy', alert_severity: 'high', alert_status: 'closed', close_reason: 'true_positive' },
  alert_responses: [
    { response_name: 'Block the address', response_type: 'playbook', workflow_instance_id: id(4), status: 'success' },
  ],
  ...{ acknowledged_by_username: 'ana@example.com', closed_by_username: null, assignee: 'ana@example.com' },
  ...{ log_sources: ['sshd'], meta_data_fields: { src_ip: '203.0.113.7' }, tags: ['vip'], event_count: 1 },
  ...{ opened_at: AT, time_opened: AT, time_acknowledged: AT, time_closed: AT, time_updated: AT },
  sla: { respond_by: AT, resolve_by: null, waiting_since: null, stood_s: 0, breached: true },
};

function event(number: number): CaseExport['events'][number] {
  return {
    ...{ id: id(number), time: AT, integration: 'sshd', event_type: 'authentication', severity: '' },
    ...{ message: `Failed password number ${number}`, host: 'web-1', user: 'root', src_ip: '203.0.113.7' },
    ...{ raw: '', fields: {} },
  };
}

const whole: CaseExport = {
  exported_at: AT,
  case: theCase,
  policy_origin: null,
  activity: [
    { id: id(5), at: AT, username: 'system', kind: 'opened', text: 'Opened by policy', data: {} },
    { id: id(6), at: AT, username: 'ana@example.com', kind: 'commented', text: 'Seen before.', data: {} },
  ],
  activity_left_out: 0,
  entities: [{ kind: 'address', value: '203.0.113.7', events: 1, is_group_value: true }],
  events: [event(7)],
  events_left_out: 0,
  related_cases: [{ ...theCase, id: id(8), reference: 'CASE-7', alert_name: 'An older one' }],
};

async function textOf(parts: Partial<CaseExport> = {}, order: Partial<CaseDocumentOrder> = {}): Promise<string> {
  const { bytes, pages } = await layOutCase({
    ...{ whole: { ...whole, ...parts }, product: 'AIRdeck', tenant: 'Example Ltd', locale: 'en-US', timeZone: 'UTC' },
    ...{ compress: false, ...order },
  });
  const text = textOfPdf(bytes);
  expect(text).toHaveLength(pages);
  return text.join('\n');
}

function codeOf(char: string): string {
  return `U+0${char.codePointAt(0)?.toString(16).toUpperCase()}`;
}

describe('a case on paper', () => {
  it('says how much of its story is not in it', async () => {
    expect(await textOf()).not.toContain('older entries');
    expect(await textOf({ activity_left_out: 1_200 })).toContain('1,200 older entries are not in here.');
  });

  it('says what it is, what happened and who did it, as text that can be searched for', async () => {
    const text = await textOf();
    for (const said of [
      ...[
        'Case of Example Ltd',
        'CASE-42 · SSH password guessing',
        'Many failures from one address.',
        'Closed',
        'High',
      ],
      ...['src_ip', '203.0.113.7', 'True positive', 'vip', 'Missed', 'Oct 5, 2026, 8:30:00', 'Block the address'],
      ...['Success', 'Automation', 'Opened by policy', 'Seen before.', 'Failed password number 7', 'web-1'],
      ...['CASE-7', 'An older one', 'Page 1 of'],
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toMatch(/undefined|null|NaN/);
  });

  it('names the author and the licence of a rule somebody else wrote', async () => {
    const origin = { format: 'sigma', id: id(9), author: 'Kai Example', license: 'DRL 1.1', level: 'high' } as const;
    const more = { status: 'stable', date: '', references: [], false_positives: [], tags: [] };
    const text = await textOf({ policy_origin: { ...origin, ...more } });
    expect(text).toContain('Kai Example');
    expect(text).toContain('DRL 1.1');
  });

  it('is Portuguese, in the zone of whoever reads it', async () => {
    const text = await textOf({}, { locale: 'pt-BR', timeZone: 'America/Sao_Paulo' });
    for (const said of [
      'Caso de Example Ltd',
      'America/Sao_Paulo',
      'Dados',
      'Verdadeiro positivo',
      '05:30:00',
      'Página 1 de',
    ]) {
      expect(text).toContain(said);
    }
  });

  it('cuts nothing of what people wrote, however long, and goes on over as many pages as it takes', async () => {
    const words = Array.from({ length: 2_000 }, (_, at) => `word${at}`);
    const comment = { id: id(6), at: AT, username: 'ana@example.com', kind: 'commented' as const, data: {} };
    const text = await textOf({ activity: [{ ...comment, text: words.join(' ') }] });
    expect(words.filter((word) => !text.includes(word))).toEqual([]);
    expect(text).not.toContain('…');
  });

  it.each([
    ['Chinese', 0x4e00, 2_100, /\p{Script=Han}/gu, (char: string) => char],
    ['ideographs of two units', 0x20000, 2_100, /\p{Script=Han}/gu, (char: string) => char],
    ['Hebrew, which is written as code points', 0x5d0, 27, /U\+05[0-9A-F]{2}/g, codeOf],
  ])('cuts nothing of %s, which takes more lines for as many characters', async (_what, first, kinds, of, shown) => {
    const chars = Array.from({ length: 2_100 }, (_, at) => String.fromCodePoint(first + (at % kinds)));
    const text = chars.join('');
    const comment = { id: id(6), at: AT, username: 'ana@example.com', kind: 'commented' as const, text, data: {} };
    for (const written of [
      await textOf({ activity: [comment] }),
      await textOf({ case: { ...theCase, meta_data_fields: { note: text } } }),
      await textOf({ case: { ...theCase, alert_description: text } }),
    ]) {
      expect(written.match(of)?.join('') === chars.map(shown).join('')).toBe(true);
    }
  });

  it('has the first events, and says how many there are', async () => {
    const events = Array.from({ length: EVENTS_ON_PAPER + 1 }, (_, at) => event(1_000 + at));
    const text = await textOf({ events, case: { ...theCase, event_count: 7_000 } });
    expect(text).toContain(`Failed password number ${999 + EVENTS_ON_PAPER}`);
    expect(text).not.toContain(`Failed password number ${1_000 + EVENTS_ON_PAPER}`);
    expect(text).toContain(`The first ${EVENTS_ON_PAPER} of 7,000 events`);
    expect(await textOf({ events: [], case: { ...theCase, event_count: 0 } })).toContain('No events belong to it.');
  });
});
