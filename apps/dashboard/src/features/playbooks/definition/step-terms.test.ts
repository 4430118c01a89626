import { expect, test } from 'vitest';
import { stepTerms } from './step-terms.ts';

const words = (...given: Parameters<typeof stepTerms>) =>
  stepTerms(...given).map(({ text, code = '' }) => `${text}${code}`);

test('a call is told with its order, condition, list, tries and what a failure means', () => {
  expect(
    words(
      {
        id: 'block',
        kind: 'action',
        action: 'fortigate.block_address',
        input: {},
        depends_on: ['lookup', 'approve'],
        when: 'inputs.ip != ""',
        for_each: 'inputs.hosts',
        retry: { max_attempts: 3, backoff_s: 2 },
        timeout_s: 90,
        on_error: 'continue',
      },
      'en-US',
    ),
  ).toEqual([
    'Runs after lookup, approve',
    'Only when inputs.ip != ""',
    'Once for each item of inputs.hosts',
    'Tried up to 3 times, 2 s apart at first.',
    'Given up after 1.5 min.',
    'The run goes on when it fails.',
  ]);
});

test('a question is told with its answers, who may give them, and what happens without one', () => {
  const options = [
    { value: 'block', label: 'Block' },
    { value: 'ignore', label: 'Ignore' },
  ];
  const question = { id: 'ask', kind: 'prompt' as const, message: 'Block?', options, expires_in_s: 3600 };
  expect(words({ ...question, default_option: 'ignore' }, 'en-US')).toEqual([
    'Runs at the start.',
    'Answers: “Block”, “Ignore”.',
    'May answer: Analyst and above.',
    'Without an answer within 1 h, “Ignore” is taken.',
  ]);
  expect(words(question, 'en-US').at(-1)).toBe('Without an answer within 1 h, the step fails.');
});
