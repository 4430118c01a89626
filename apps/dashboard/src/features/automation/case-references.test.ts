import { expect, test } from 'vitest';
import { caseReferences } from './case-references.ts';

const sample = {
  reference: 'CASE-7',
  alert_severity: 'high',
  alert_name: 'SSH password guessing',
  meta_data_fields: { src_ip: '203.0.113.9' },
  events: [{ src_ip: '203.0.113.9', user: '', fields: { 'user name': 'root', port: 22 } }],
} as unknown as NonNullable<Parameters<typeof caseReferences>[1]>;

test('without a case of the past, what the policy groups by comes first', () => {
  const [first, ...others] = caseReferences(['src_ip', 'user.name'], undefined);
  expect(first?.references.map(({ expression }) => expression)).toEqual(['group.src_ip', 'group["user.name"]']);
  expect(others.map(({ title }) => title)).toEqual(['The case', 'Its first event']);
});

test('with one, each says the value it had there, and every field of the event can be picked', () => {
  const groups = caseReferences([], sample);
  const about = new Map(groups.flatMap(({ references }) => references).map((one) => [one.expression, one.about]));
  expect(about.get('group.src_ip')).toBe('“203.0.113.9”');
  expect(about.get('case.reference')).toBe('CASE-7');
  expect(about.get('event.fields["user name"]')).toBe('“root”');
  expect(about.get('event.fields.port')).toBe('“22”');
  // Nothing was there: the words for it stay.
  expect(about.get('event.user')).toBe('Whose account it was');
});
