import { expect, test } from 'vitest';
import { conditionWords } from './condition-words.ts';

test.each([
  ["case.severity == 'high'", 'severity of the case is “high”'],
  ['case.severity in ["high", "critical"]', 'severity of the case is one of “high”, “critical”'],
  ['!(group.src_ip in ["10.0.0.1"])', 'src_ip of the group is none of “10.0.0.1”'],
  [
    'event.fields.port >= 1024 && has(event.user)',
    'port of the first event is at least 1024, and user of the first event is there',
  ],
  ["!event.host.startsWith('dev-')", 'host of the first event does not start with “dev-”'],
  ['event.fields["user name"] != "a && b"', 'user name of the first event is not “a && b”'],
])('%s', (expression, words) => {
  expect(conditionWords(expression)).toBe(words);
});

test.each([
  "case.severity == 'high' || case.severity == 'low'",
  "(case.severity == 'high')",
  'event.fields.list.exists(x, x == 1)',
  'case.severity == event.severity',
  '',
])('is silent about what it does not understand: %s', (expression) => {
  expect(conditionWords(expression)).toBeUndefined();
});
