import { createConnectorRegistry } from '@airdeck/connectors/registry';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { compileSchema, compileUserSchema } from './schema-check.ts';
import { requireOwnWords } from './schema-code.ts';

/** What would run here leaves a mark, and one that only broke the code would make the schema one that does not compile. */
const reached = () => Object.hasOwn(globalThis, 'reached');
const MARK = 'globalThis.reached=1';
const hostile = [
  `";${MARK};"`,
  `\\";${MARK};//`,
  `'+(${MARK})+'`,
  `\`;${MARK};\``,
  `\${${MARK}}`,
  `*/${MARK}/*`,
  `//\n${MARK}\n`,
  `\u2028${MARK}\u2029`,
  `]=0;${MARK};[`,
  `](${MARK})`,
  `x(${MARK})`,
  '__proto__',
  'constructor',
  'toString',
  'a.constructor.constructor',
  'eval',
  '\\',
  '\\u0022',
  '\u0000',
  '',
];

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'reached');
});

const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary', maxLength: 12 }));
const count = fc.nat(5);
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const plain = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 }));
const literalPattern = text.map((written) => written.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
const names = fc.uniqueArray(text, { maxLength: 4 });
const types = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');

function optional<T>(values: fc.Arbitrary<T>) {
  return fc.option(values, { nil: undefined, freq: 2 });
}

/** The keywords of 2020-12 that may stand in a schema of inputs, and keywords nobody knows. */
const { schema } = fc.letrec((tie) => {
  const inner = tie('schema');
  const inners = fc.array(inner, { minLength: 1, maxLength: 2 });
  const named = fc.dictionary(text, inner, { maxKeys: 3 });
  return {
    schema: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.boolean(),
      fc
        .tuple(
          fc.record({
            type: optional(fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }))),
            const: optional(plain),
            enum: optional(
              fc.uniqueArray(plain, { minLength: 1, maxLength: 3, selector: (value) => JSON.stringify(value) }),
            ),
            multipleOf: optional(fc.double({ min: 1e-9, max: 1e30, noNaN: true })),
            minimum: optional(number),
            exclusiveMaximum: optional(number),
            minLength: optional(count),
            maxLength: optional(count),
            pattern: optional(literalPattern),
            format: optional(text),
            required: optional(names),
            dependentRequired: optional(fc.dictionary(text, names, { maxKeys: 2 })),
            minProperties: optional(count),
            maxItems: optional(count),
            title: optional(text),
            $comment: optional(text),
            default: optional(plain),
            contentMediaType: optional(text),
            examples: optional(fc.array(plain, { maxLength: 2 })),
          }),
          fc.record({
            properties: optional(named),
            patternProperties: optional(fc.dictionary(literalPattern, inner, { maxKeys: 2 })),
            additionalProperties: optional(inner),
            propertyNames: optional(inner),
            dependentSchemas: optional(named),
            $defs: optional(named),
            prefixItems: optional(inners),
            items: optional(inner),
            contains: optional(inner),
            minContains: optional(count),
            allOf: optional(inners),
            anyOf: optional(inners),
            oneOf: optional(inners),
            not: optional(inner),
            if: optional(inner),
            // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
            then: optional(inner),
            else: optional(inner),
          }),
          fc.dictionary(
            // A keyword of some version would have to have its form.
            text.filter((key) => !/^[$a-z][A-Za-z]*$/.test(key)),
            plain,
            { maxKeys: 2 },
          ),
        )
        .map(([keywords, schemas, unknown]) => withoutUndefined({ ...unknown, ...keywords, ...schemas })),
    ),
  };
});

/** As a request brings it: `__proto__` is a name like any other there. */
function withoutUndefined(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('a schema somebody wrote', () => {
  it('brings no text of its own into the code that checks by it, in any place and with any keyword', () => {
    const seen = { compiled: 0, refused: 0 };
    const messages = new Set<string>();
    fc.assert(
      fc.property(schema, fc.anything(), (generated, value) => {
        const written = { type: 'object', properties: { a: generated } };
        try {
          for (const compile of [compileSchema, compileUserSchema]) compile(written)({ a: value });
          seen.compiled++;
        } catch (error) {
          seen.refused++;
          messages.add(String(error).slice(0, 60));
        }
        expect(reached()).toBe(false);
      }),
      { numRuns: 250, seed: 20_261_125 },
    );
    expect([...messages]).toEqual([]);
    expect(seen).toEqual({ compiled: 250, refused: 0 });
  });

  it.each(hostile)('says what is wrong with %j as a name, a value and a pattern, and runs none of it', (evil) => {
    const validate = compileUserSchema({
      type: 'object',
      properties: JSON.parse(JSON.stringify({ [`x${evil}`]: { const: evil } })),
      required: [`y${evil}`],
      propertyNames: { enum: [`x${evil}`] },
      additionalProperties: false,
      default: evil,
    });
    expect(validate({ [`x${evil}`]: evil, [`y${evil}`]: 1 })).toBe(false);
    expect(validate.errors?.map(({ keyword }) => keyword)).toEqual(
      expect.arrayContaining(['enum', 'additionalProperties']),
    );
    expect(reached()).toBe(false);
  });

  it('has no name that closes the comment Ajv would make of it', () => {
    for (const compile of [compileSchema, compileUserSchema]) {
      expect(() => compile({ $id: `x*/;${MARK};/*`, type: 'object' })({})).toThrow('not the checker’s own');
      expect(reached()).toBe(false);
    }
  });
});

describe('the schemas of our own integrations', () => {
  const written = createConnectorRegistry()
    .list()
    .flatMap((definition) => [
      [`settings of ${definition.definition_id}`, definition.config_schema] as const,
      [`events of ${definition.definition_id}`, definition.event_options_schema ?? {}] as const,
      [`metrics of ${definition.definition_id}`, definition.metric_options_schema ?? {}] as const,
      ...definition.actions.map(({ action_id, input_schema }) => [`input of ${action_id}`, input_schema] as const),
    ]);

  it.each(written)('become code: %s', (_what, own) => {
    expect(() => compileSchema(own)).not.toThrow();
  });

  it.each([3, 199, 200, 500])('may offer %i values, and ask for as many fields', (count) => {
    // From two hundred on Ajv writes a loop instead of a comparison for each.
    const names = Array.from({ length: count }, (_, index) => `v${index}`);
    const fields = Object.fromEntries(names.map((name) => [name, {}]));
    for (const compile of [compileSchema, compileUserSchema]) {
      const choice = compile({ type: 'string', enum: names });
      expect([choice('v0'), choice(`v${count}`)]).toEqual([true, false]);
      const form = compile({ type: 'object', required: names, properties: fields });
      expect([form(fields), form({ v0: 1 })]).toEqual([true, false]);
      const together = compile({ type: 'object', dependentRequired: { a: names } });
      expect([together({ ...fields, a: 1 }), together({ a: 1 })]).toEqual([true, false]);
    }
  });

  it('may ask for a list of different texts', () => {
    const validate = compileSchema({ type: 'array', items: { type: 'string' }, uniqueItems: true });
    expect([validate(['a', 'b']), validate(['a', 'a'])]).toEqual([true, false]);
  });
});

describe('code made of a schema', () => {
  it('is Ajv’s own', () => {
    for (const own of [
      'if(data0.name !== undefined){errors++;}',
      'const err0 = {instancePath:instancePath+"/a\\"b",params:{limit: 3}};',
      'key0.replace(/~/g, "~0").replace(/\\//g, "~1")',
      'if(!(isFinite(data0)) || data0/0.1 !== parseInt(data0/0.1)){}',
    ]) {
      expect(requireOwnWords(own)).toBe(own);
    }
  });

  it.each([
    ['a name Ajv does not have', 'process;'],
    ['a global', 'globalThis["reached"] = 1;'],
    ['a call of something else', 'data.constructor("x");'],
    ['a second function', 'eval("1")'],
    ['a comment', 'errors++;/* " */ '],
    ['the rest of a line', 'errors++;// "'],
    ['a text that is not closed', 'data0 === "abc'],
    ['a text in other quotes', "data0 === 'abc'"],
    ['a template', 'data0 === `abc`'],
    ['a line that ends within a text', 'data0 === "a\nb"'],
    ['an expression of somebody’s', '/a+/.test(data0)'],
    ['an escape of a name', 'dat\\u0061'],
  ])('is refused with %s', (_what, code) => {
    expect(() => requireOwnWords(code)).toThrow('not the checker’s own');
  });
});
