import { expect, it } from 'vitest';
import { isKnownZone, isTimeZone } from './time-zone.ts';

it.each([
  ['Europe/Lisbon', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+3', true],
  ['IST', false],
  ['CET', false],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['', false],
  ["'; drop table x", false],
])('%j is a time zone: %s', (name, is) => expect(isTimeZone(name)).toBe(is));

it.each([
  ['CET', true],
  ['Europe/Lisbon', true],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['', false],
])('times can be written in %j: %s', (name, is) => expect(isKnownZone(name)).toBe(is));
