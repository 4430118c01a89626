import { expect, it } from 'vitest';
import { isTimeZone } from './time-zone.ts';

it.each([
  ['Europe/Lisbon', true],
  ['UTC', true],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['', false],
  ["'; drop table x", false],
])('%j is a time zone: %s', (name, is) => expect(isTimeZone(name)).toBe(is));
