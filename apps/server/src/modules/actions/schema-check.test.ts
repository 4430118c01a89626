import { describe, expect, it } from 'vitest';
import { compileSchemaCheck, compileUserSchemaCheck } from './schema-check.ts';

describe('a compiled schema', () => {
  it('names every place that does not fit, from the root it was given', () => {
    const schema = {
      type: 'object',
      required: ['ip'],
      properties: { ip: { type: 'string' }, ports: { type: 'array', items: { type: 'integer' } } },
      additionalProperties: false,
    };
    const value = { ports: [1, 'two'], 'a/b': 1 };
    const paths = (root: string) =>
      compileSchemaCheck(
        schema,
        root,
      )(value)
        .map(({ path }) => path)
        .sort();
    expect(paths('inputs')).toEqual(['inputs.a/b', 'inputs.ip', 'inputs.ports.1']);
    expect(paths('')).toEqual(['a/b', 'ip', 'ports.1']);
  });

  it.each([compileSchemaCheck, compileUserSchemaCheck])(
    'fits nothing when it is no schema, or needs another one',
    (compile) => {
      for (const schema of [{ type: 'objekt' }, { required: 'ip' }, { $ref: 'https://example.com/schema' }]) {
        expect(compile(schema, 'inputs')({ ip: '1' })).toMatchObject([{ path: 'inputs', reason: 'VALUE_UNCHECKABLE' }]);
      }
    },
  );

  it('checks where Ajv forgets a variable of what it has looked at', () => {
    const list = { anyOf: [{ contains: false }] };
    const item = { allOf: [{ if: { ...list, not: true }, else: { type: 'string' } }, list] };
    const check = compileSchemaCheck({ type: 'object', properties: { a: item } }, 'inputs');
    expect(check({ a: 'text' })).toEqual([]);
    expect(check({ a: 0 })).not.toEqual([]);
  });

  it('of a user is compiled once for the same text, and anew for any other', () => {
    const schema = () => ({ type: 'object', required: ['ip'], properties: { ip: { type: 'string' } } });
    const changed = schema();
    const first = compileUserSchemaCheck(changed, 'inputs');
    changed.properties.ip.type = 'integer';
    expect(compileUserSchemaCheck(schema(), 'inputs')).toBe(first);
    expect(first({ ip: 1 })).toHaveLength(1);
    expect(compileUserSchemaCheck(changed, 'inputs')({ ip: 1 })).toEqual([]);
    expect(compileUserSchemaCheck(schema(), 'with')({}).map(({ path }) => path)).toEqual(['with.ip']);
  });

  it('of a user is forgotten when many others came after it', () => {
    const schema = { type: 'object', properties: { first: { type: 'string' } } };
    const first = compileUserSchemaCheck(schema, 'inputs');
    for (let count = 0; count < 250; count++) compileUserSchemaCheck({ maxProperties: count }, 'inputs');
    expect(compileUserSchemaCheck(schema, 'inputs')).not.toBe(first);
  });

  it('of a user is kept as long as inputs may be, but never many of those', () => {
    const large = (title: string) => ({ type: 'object', title: title.padEnd(50_000, '.') });
    const first = compileUserSchemaCheck(large('1'), 'inputs');
    expect(compileUserSchemaCheck(large('1'), 'inputs')).toBe(first);
    for (let count = 2; count < 30; count++) compileUserSchemaCheck(large(String(count)), 'inputs');
    expect(compileUserSchemaCheck(large('1'), 'inputs')).not.toBe(first);
  });

  it('of a user never works for longer than its text is, and has no patterns that could', () => {
    const nested = { type: 'object', properties: { ip: { type: 'string', pattern: '^(a+)+$' } } };
    expect(compileUserSchemaCheck(nested, 'inputs')({ ip: `${'a'.repeat(20_000)}!` })).toHaveLength(1);
    expect(compileUserSchemaCheck(nested, 'inputs')({ ip: 'aaa' })).toEqual([]);
    const beyond = { properties: { ip: { pattern: '(?=a)' } } };
    expect(compileUserSchemaCheck(beyond, 'inputs')({})).toMatchObject([{ reason: 'VALUE_UNCHECKABLE' }]);
  });
});
