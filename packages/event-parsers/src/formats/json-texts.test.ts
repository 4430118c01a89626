import { serverLimits } from '@airdeck/contracts/server-limits';
import { describe, expect, it } from 'vitest';
import { MAX_DEPTH } from '../clean-record.ts';
import { parseLine, parseRecord } from '../parse-record.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00Z');
const audit = { verb: 'create', user: { username: 'ana@example.com' }, objectRef: { resource: 'pods' } };

function aks(log: unknown, category = 'kube-audit') {
  return { category, resourceId: '/subscriptions/1/aks', operationName: 'Read', properties: { log, pod: 'api-1' } };
}

/** Objects within each other, so many that the last lies `depth` deep. */
function nested(depth: number): string {
  return `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
}

/** What the event has in `properties` when this stands in `log`. */
function propertiesOf(log: unknown) {
  return parseRecord(aks(log), { receivedAt }).fields.properties as Record<string, unknown>;
}

describe('JSON that a record holds as text', () => {
  it.each([
    ['AKS, every audit', aks(JSON.stringify(audit)), { properties: { pod: 'api-1', log_json: audit } }],
    ['AKS, without reads', aks(JSON.stringify(audit), 'kube-audit-admin'), { properties: { log_json: audit } }],
    [
      'AKS without the resource, which no vendor’s format takes',
      { category: 'kube-audit', properties: { log: JSON.stringify(audit) } },
      { properties: { log_json: audit } },
    ],
    [
      'AKS in Log Analytics',
      { Type: 'AzureDiagnostics', Category: 'kube-audit', log_s: JSON.stringify(audit) },
      { log_s_json: audit },
    ],
    [
      'Box',
      { type: 'event', event_type: 'SHIELD_ALERT', additional_details: '{"shield_alert":{"risk_score":70}}' },
      { additional_details_json: { shield_alert: { risk_score: 70 } } },
    ],
  ])('is read as fields beside the text, which stays as it came: %s', (_name, record, fields) => {
    const before = structuredClone(record);
    const line = JSON.stringify(record);
    const behindHeader = `<14>1 2026-11-21T10:00:00Z h app - - - ${line}`;
    for (const event of [
      parseRecord(record, { receivedAt }),
      parseLine(line, { receivedAt }),
      parseLine(behindHeader, { receivedAt }),
    ]) {
      expect(event.fields).toMatchObject(before);
      expect(event.fields).toMatchObject(fields);
      expect(event.raw.endsWith(line)).toBe(true);
    }
    expect(record).toEqual(before);
  });

  it('leaves text alone that is no JSON object', () => {
    const texts = ['', 'I1121 server started', '{"verb":"create', '{verb: create}', '[1]', '"x"', '7', 'null', '{} {}'];
    for (const log of [...texts, null, 7, { verb: 'create' }]) {
      expect(propertiesOf(log)).toEqual({ log, pod: 'api-1' });
    }
    const holders = [{ category: 'kube-audit' }, { category: 'kube-audit', properties: '{"log":"{}"}' }];
    for (const record of holders) expect(parseRecord(record, { receivedAt }).fields).toEqual(record);
  });

  it('leaves records of other kinds alone, whatever their text is', () => {
    const others = [aks('{"a":1}', 'kube-apiserver'), { additional_details: '{"a":1}', type: 'event' }];
    for (const record of others) expect(parseRecord(record, { receivedAt }).fields).toEqual(record);
  });

  it('does not write over a field of the source’s own', () => {
    const properties = { log: JSON.stringify(audit), log_json: 'mine' };
    expect(parseRecord({ category: 'kube-audit', properties }, { receivedAt }).fields.properties).toEqual(properties);
  });

  it('takes text as deep as a record of its own could be there, and no deeper', () => {
    const room = MAX_DEPTH - 2;
    expect(propertiesOf(nested(room))).toHaveProperty('log_json');
    for (const tooDeep of [nested(room + 1), nested(20_000)]) {
      expect(Object.keys(propertiesOf(tooDeep))).toEqual(['log', 'pod']);
    }
  });

  it('reads a record padded with thousands of fields, so that padding hides nothing from a rule', () => {
    const labels = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`l${index}`, 'x']));
    expect(propertiesOf(JSON.stringify({ labels, ...audit }))).toMatchObject({ log_json: { labels, ...audit } });
  });

  it('reads nothing of text beyond the size of a record, as a field that large is left out', () => {
    const record = aks(JSON.stringify({ ...audit, padding: 'x'.repeat(serverLimits.eventLineMaxBytes) }));
    const event = parseRecord(record, { receivedAt });
    expect(event.fields).toMatchObject({ category: 'kube-audit', raw_truncated_bytes: expect.any(Number) });
    expect(event.fields).not.toHaveProperty('properties');
    expect(event.raw).toContain('ana@example.com');
  });

  it('keeps out what no store takes: NULs and halves of surrogate pairs that the text writes as escapes', () => {
    expect(propertiesOf('{"a\\u0000":"x\\u0000y","b":"\\ud800"}')).toMatchObject({
      log_json: { a: 'xy', b: '\uFFFD' },
    });
  });

  it('has keys of the language as fields like others', () => {
    const properties = propertiesOf('{"__proto__":{"admin":true},"constructor":1}');
    expect(Object.keys(properties.log_json as object)).toEqual(['__proto__', 'constructor']);
    expect({}).not.toHaveProperty('admin');
  });
});
