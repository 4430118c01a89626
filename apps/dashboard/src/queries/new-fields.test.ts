import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { withNewFields } from './new-fields.ts';

function refused(reason: string, names: string) {
  return new ApiError({
    ...{ category: 'client', code: 'VALIDATION_FAILED', message: '', status: 400, endpoint: '/', method: 'POST' },
    details: [{ path: 'body', message: '', reason, values: { names } }],
  });
}

/** Answers with what it was called with, unless the first call is refused. */
function server(refusal?: Error) {
  const calls: object[] = [];
  return {
    calls,
    call: async (body: object) => {
      calls.push(body);
      if (refusal !== undefined && calls.length === 1) throw refusal;
      return body;
    },
  };
}

test('fields are sent, and once more left out where a server does not know them', async () => {
  const known = server();
  expect(await withNewFields({ case_id: 'c' }, known.call)).toEqual({ case_id: 'c' });
  const older = server(refused('FIELDS_UNKNOWN', '"case_id"'));
  expect(await withNewFields({ case_id: 'c' }, older.call)).toEqual({});
  expect(older.calls).toEqual([{ case_id: 'c' }, {}]);
});

test.each([
  ['of another field', refused('FIELDS_UNKNOWN', '"inputs"')],
  ['for another reason', refused('VALUE_INVALID', '"case_id"')],
  ['without an answer', new Error('away')],
])('a call that is refused %s is not asked again', async (_why, refusal) => {
  const { calls, call } = server(refusal);
  await expect(withNewFields({ case_id: 'c' }, call)).rejects.toBe(refusal);
  expect(calls).toHaveLength(1);
});
