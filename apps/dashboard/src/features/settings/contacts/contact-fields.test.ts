import { expect, test } from 'vitest';
import {
  contactProblemsOf,
  emptyContact,
  isSameContact,
  mailLink,
  phoneLink,
  refusedFields,
} from './contact-fields.ts';

const ana = { ...emptyContact, name: 'Ana', email: 'ana@example.com' };

test('what is missing or cannot be is said beside its field', () => {
  expect(contactProblemsOf(ana)).toEqual({});
  expect(Object.keys(contactProblemsOf(emptyContact))).toEqual(['name', 'email']);
  expect(contactProblemsOf({ ...ana, email: 'ana@' }).email).toContain('whole');
  expect(contactProblemsOf({ ...ana, phone: 'call me' }).phone).toContain('Digits');
  expect(contactProblemsOf({ ...ana, severities: ['high'] }).channels).toContain('at least one way');
  expect(contactProblemsOf({ ...ana, channels: ['email'] }).severities).toContain('severity');
  expect(contactProblemsOf({ ...ana, severities: ['high'], channels: ['sms'] }).phone).toContain('phone number');
});

test('spaces around and the order of ticks are no change', () => {
  const one = { ...ana, severities: ['high', 'low'], channels: ['email'] } as const;
  expect(isSameContact(one, { ...one, name: ' Ana ', severities: ['low', 'high'] })).toBe(true);
  expect(isSameContact(one, { ...one, place: 1 })).toBe(false);
});

test('what the server refuses stands beside the field of that name', () => {
  expect(
    refusedFields([
      { path: 'body.notify.channels', message: 'No.' },
      { path: 'body.escalation_order', message: 'Too far.' },
      { path: 'body.constructor', message: 'x' },
    ]),
  ).toEqual({ channels: 'No.', place: 'Too far.' });
});

test('a link carries an address and nothing else', () => {
  expect(mailLink('ana?cc=eve@example.com')).toBe('mailto:ana%3Fcc%3Deve@example.com');
  expect(phoneLink('+1 (555) 010-0')).toBe('tel:+15550100');
});
