import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { tellRecovered } from './recovered-error.ts';

const told = (error: unknown) => {
  const reported: unknown[] = [];
  tellRecovered(error, (one) => reported.push(one));
  return reported;
};

test('a mistake React recovered from is told, a failed call that the screen tells is not', () => {
  const mistake = new Error('Recovered', { cause: new TypeError('undefined is not a function') });
  expect(told(mistake)).toEqual([mistake]);
  expect(told('a word')).toEqual(['a word']);
  const failed = new ApiError({
    category: 'client',
    code: 'NOT_FOUND',
    message: 'No.',
    status: 404,
    endpoint: '/connector/{id}',
    method: 'GET',
  });
  expect(told(new Error('Recovered', { cause: failed }))).toEqual([]);
});
