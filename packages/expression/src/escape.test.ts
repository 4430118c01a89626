import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { escapePayloads } from './escape-payloads.ts';
import { createExpressions } from './expression.ts';
import { ExpressionError } from './expression-error.ts';

const expressions = createExpressions();
const hostPrototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const before = hostPrototypes.map(fingerprint);
const context = {
  data: JSON.parse('{"a":1,"__proto__":{"polluted":1},"constructor":1,"toString":"data","then":"data"}') as unknown,
  text: `${'a'.repeat(40)}!`,
  items: Array.from({ length: 200 }, (_, index) => index),
  number: 1,
};

function fingerprint(prototype: object): string {
  return inspect(Object.getOwnPropertyDescriptors(prototype), { depth: 1, maxArrayLength: null });
}

/** Only JSON comes out, or an ExpressionError; anything else fails the test by being thrown on. */
function outcome(work: () => unknown): 'data' | 'refused' {
  try {
    expectJson(work());
    return 'data';
  } catch (error) {
    if (error instanceof ExpressionError) return 'refused';
    throw error;
  }
}

function expectJson(value: unknown): void {
  expect(['string', 'number', 'boolean', 'object']).toContain(typeof value);
  if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
  if (typeof value !== 'object' || value === null) return;
  expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(value));
  for (const item of Object.values(value)) expectJson(item);
}

afterEach(() => {
  expect(hostPrototypes.map(fingerprint)).toEqual(before);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe('an expression cannot leave the sandbox', () => {
  it('has at least 150 different payloads', () => {
    expect(escapePayloads.length).toBeGreaterThanOrEqual(150);
  });

  it.each(escapePayloads)('gives data or an error, never the host: %s', (payload) => {
    outcome(() => expressions.render(`{{ ${payload} }}`, context));
    outcome(() => expressions.condition(payload, context));
    expressions.check(payload);
  });

  it.each([
    'constructor',
    'toString',
    'process',
    'globalThis',
    'absent.constructor',
    'text.constructor',
    'items.constructor',
    'number.constructor',
    'dyn(text).constructor',
    'type(1)',
    'cel',
    'Function("return 1")()',
    'items.map(x, items.map(y, items.map(z, items.map(v, x))))',
  ])('refuses %s rather than giving something', (payload) => {
    expect(outcome(() => expressions.render(`{{ ${payload} }}`, context))).toBe('refused');
  });

  it('treats hostile keys of data as data', () => {
    expect(expressions.render('{{ data.constructor }}', context)).toBe(1);
    expect(expressions.render('{{ data["__proto__"].polluted }}', context)).toBe(1);
    expect(expressions.render('{{ data.toString }}', context)).toBe('data');
    const copy = expressions.render('{{ data }}', context) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.hasOwn(copy, '__proto__')).toBe(true);
  });

  it('does not see what is not data', () => {
    class Host {
      secret = 'host';
    }
    const host = { run: () => 'ran', host: new Host(), symbol: Symbol('s'), nested: { run: () => 'ran' } };
    for (const text of ['host', 'run', 'symbol', 'nested.run', 'host.secret', 'nested.run()']) {
      expect(outcome(() => expressions.render(`{{ ${text} }}`, host))).toBe('refused');
    }
    expect(expressions.render('{{ nested }}', host)).toEqual({});
  });

  it('does not read variables from the prototype of the context', () => {
    const inherited = Object.create({ planted: 1 }) as Record<string, unknown>;
    expect(outcome(() => expressions.render('{{ planted }}', inherited))).toBe('refused');
  });
});

describe('fuzzing', () => {
  const pieces = fc.constantFrom(
    ...['data', 'items', 'text', 'number', 'constructor', '__proto__', 'toString', 'cel.bind(', '.map(x,', '.all(x,'],
    ...[
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '.',
      ',',
      ':',
      '?',
      '"',
      "'",
      '+',
      '-',
      '*',
      '/',
      '%',
      '==',
      'in',
      '&&',
      '||',
      '!',
    ],
    ...['1', '1.5', '0', '{{', '}}', 'x', '.matches("a+")', 'has(', ' ', '\\', '//', 'b"', 'r"', 'null', 'true', '1u'],
  );

  it('throws nothing but ExpressionError and leaves the host alone, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (parts) => {
        const text = parts.join('');
        outcome(() => expressions.render(text, context));
        outcome(() => expressions.render(`{{ ${text} }}`, context));
        outcome(() => expressions.condition(text, context));
        expressions.check(text);
        expressions.checkTemplates({ text });
      }),
      { numRuns: 1500 },
    );
  });

  it('throws nothing but ExpressionError on any unicode text and any JSON around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.jsonValue(), (text, value) => {
        outcome(() => expressions.render({ text: `{{${text}}}`, value }, { value }));
        outcome(() => expressions.condition(text, { value }));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves every JSON value without braces as it is', () => {
    const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('{{'));
    fc.assert(
      fc.property(plain, (value) => {
        expect(expressions.render(value, {})).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it('gives JSON data back unchanged through an expression, whatever keys it has', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        const result = expressions.render('{{ value }}', { value: json });
        // Minus zero is zero in CEL and in JSON text.
        expect(JSON.stringify(result)).toBe(JSON.stringify(json));
      }),
      { numRuns: 300 },
    );
  });
});
