import { expect, it } from 'vitest';
import { destroyQuestion } from './destroy-question.ts';

const action = {
  friendly_name: 'Delete notification',
  vendor: 'Graylog',
  product: 'Graylog',
  input_schema: {
    type: 'object',
    properties: {
      notification_title: { type: 'string', title: 'Notification' },
      token: { type: 'string', title: 'Token', secret: true },
      count: { type: 'integer' },
      note: { type: 'string', title: 'Note' },
      more: { type: 'object', title: 'More' },
    },
  },
};

it('names the thing by what was typed, so that nobody confirms another one', () => {
  const { title, text } = destroyQuestion(action, { notification_title: 'Mail to the team', count: 2, note: '' });
  expect(title.message).toBe('Run Delete notification?');
  expect(text[0]?.message).toBe(
    'It destroys something on Graylog that cannot be brought back from here: Notification “Mail to the team”, count “2”.',
  );
});

it('leaves out secrets and what is no single value, and cuts what is long', () => {
  const { text } = destroyQuestion(
    { ...action, product: 'Open' },
    { token: 'planted-secret', more: { a: 1 }, note: 'x'.repeat(500) },
  );
  expect(text[0]?.message).toBe(
    `It destroys something on Graylog Open that cannot be brought back from here: Note “${'x'.repeat(119)}…”.`,
  );
});

it('asks without input too', () => {
  expect(destroyQuestion(action, {}).text[0]?.message).toBe(
    'It destroys something on Graylog that cannot be brought back from here.',
  );
});
