import type { Prompt } from '@airdeck/contracts/activity/schema';
import { expect, test } from 'vitest';
import { answerChoices } from './answer-choices.ts';

const me = 'ana.souza@northwind.example';
const at = '2026-11-20T10:00:00.000Z';
const prompt = (fields: Partial<Prompt> = {}): Prompt => ({
  id: '01920000-0000-7000-8000-000000000b01',
  run_id: '01920000-0000-7000-8000-000000000801',
  action_id: 'approve',
  message: 'Wipe it?',
  options: [
    { value: 'wipe', label: 'Wipe', style: 'danger' },
    { value: 'keep', label: 'Keep' },
  ],
  asked_at: at,
  expires_at: null,
  default_option: null,
  approvers: { role: 'SystemManager' },
  can_answer: true,
  second_approval: { required: false, first: null },
  answered: null,
  ...fields,
});
const firstBy = (username: string) => ({ required: true, first: { option: 'wipe', username, at } });
const labels = (given: Prompt) => answerChoices(given, me).options.map(({ label }) => label);

test('whoever may answer chooses freely; whoever may not is told who does', () => {
  expect(answerChoices(prompt(), me).reason).toBeUndefined();
  expect(labels(prompt())).toEqual(['Wipe', 'Keep']);
  expect(answerChoices(prompt({ can_answer: false }), me).reason).toBe(
    'Only these may answer: System Manager and above.',
  );
});

test('a second person can only confirm what the first chose, or say no', () => {
  const chosen = prompt({ second_approval: firstBy('tom@example.com') });
  expect(labels(chosen)).toEqual(['Confirm: Wipe']);
  expect(labels({ ...chosen, default_option: 'keep' })).toEqual(['Confirm: Wipe', 'Keep']);
});

test('the first cannot confirm alone but choose anew, and others are told who may', () => {
  expect(labels(prompt({ second_approval: firstBy(me) }))).toEqual(['Keep']);
  const others = prompt({ can_answer: false, second_approval: firstBy('tom@example.com') });
  expect(answerChoices(others, me).reason).toBe('Only these may confirm: System Manager and above.');
});
