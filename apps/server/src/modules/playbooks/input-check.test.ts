import { expect, test } from 'vitest';
import { compileSchema, compileUserSchema } from '../actions/schema-check.ts';
import { createInputCheck } from './input-check.ts';

test.each([compileSchema, compileUserSchema])(
  'to a schema that does not compile nothing fits, and nothing fails',
  (compile) => {
    const checkFor = createInputCheck(compile);
    const schema = { type: 'objekt' };
    for (const input of [{}, { ip: '{{ inputs.ip }}' }]) {
      expect(checkFor(schema, schema)(input)).toMatchObject([{ path: '', reason: 'VALUE_UNCHECKABLE' }]);
    }
  },
);
