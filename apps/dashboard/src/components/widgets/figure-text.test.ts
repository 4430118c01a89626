import { expect, test } from 'vitest';
import { anyReader as reader } from '../../ui/reader.ts';
import { bytesText, changeOf, countText, durationText } from './figure-text.ts';

test.each([
  [0, { value: '0', unit: 'B' }],
  [999, { value: '999', unit: 'B' }],
  [1000, { value: '1', unit: 'kB', exact: '1,000 bytes' }],
  [999_700, { value: '1', unit: 'MB', exact: '999,700 bytes' }],
  [1_236_000_000, { value: '1.24', unit: 'GB', exact: '1,236,000,000 bytes' }],
  [7e18, { value: '7,000', unit: 'PB', exact: '7,000,000,000,000,000,000 bytes' }],
])('%d bytes are %j', (bytes, text) => {
  expect(bytesText(bytes, reader)).toEqual(text);
});

test.each([
  [0, { value: '0' }],
  [999_999, { value: '999,999' }],
  [1_000_000, { value: '1', unit: 'million', exact: '1,000,000' }],
  [12_345_678, { value: '12.3', unit: 'million', exact: '12,345,678' }],
  [2_500_000_000, { value: '2.5', unit: 'billion', exact: '2,500,000,000' }],
])('a count of %d is %j', (count, text) => {
  expect(countText(count, reader)).toMatchObject(text);
});

test('groups and decimals are those of the profile', () => {
  const brazilian = { ...reader, locale: 'pt-BR' } as const;
  expect(countText(999_999, brazilian).value).toBe('999.999');
  expect(bytesText(1_236_000_000, brazilian)).toEqual({ value: '1,24', unit: 'GB', exact: '1.236.000.000 bytes' });
  expect(durationText(90, brazilian)).toEqual({ value: '1,5', unit: 'min' });
});

test.each([
  [null, { value: '–' }],
  [42, { value: '42', unit: 's' }],
  [90, { value: '1.5', unit: 'min' }],
  [93_600, { value: '26', unit: 'h' }],
])('a mean of %j seconds is %j', (seconds, text) => {
  expect(durationText(seconds, reader)).toEqual(text);
});

test.each([
  [12, 10, { text: '20 %', direction: 'up' }],
  [5, 10, { text: '50 %', direction: 'down' }],
  [10, 10, { direction: 'same' }],
  [1_000, 100, { text: '900 %', direction: 'up' }],
  [10_000, 1, undefined],
  [0, 4, { text: '100 %', direction: 'down' }],
  [10, 0, undefined],
  [10, null, undefined],
  [null, 10, undefined],
])('from %j, %j before, the change is %j', (now, before, change) => {
  expect(changeOf(now, before)).toEqual(change);
});
