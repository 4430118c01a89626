import { describe, expect, it } from 'vitest';
import { createExpressions } from './expression.ts';
import { ExpressionError } from './expression-error.ts';

const expressions = createExpressions();
const context = {
  inputs: { ip: '203.0.113.7', ports: [22, 443], ratio: 0.5, count: 2, none: null, note: '{{ inputs.ip }}' },
  actions: { lookup: { status: 'success', output: { score: 97, big: 2 ** 60 }, error: null } },
};

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ExpressionError) return error.code;
    throw error;
  }
  return 'nothing thrown';
}

describe('rendering', () => {
  it.each<[string, unknown]>([
    ['{{ inputs.ip }}', '203.0.113.7'],
    ['{{inputs.ports}}', [22, 443]],
    ['{{ inputs.count }}', 2],
    ['{{ inputs.count + 1 }}', 3],
    ['{{ inputs.ratio }}', 0.5],
    ['{{ inputs.none }}', null],
    ['{{ inputs.count > 1 }}', true],
    ['{{ {"a": {"b": inputs.count}} }}', { a: { b: 2 } }],
    ['{{{"a": {"b": 1}}}}', { a: { b: 1 } }],
    ["{{ '}}' }}", '}}'],
    ['{{ "{{" }}', '{{'],
    ['{{ inputs.ports.map(p, p * 2) }}', [44, 886]],
    ['{{ timestamp("2026-01-02T03:04:05Z") }}', '2026-01-02T03:04:05.000Z'],
    ['{{ has(inputs.missing) ? 1 : 2 }}', 2],
  ])('gives the typed value when %s is the whole string', (template, value) => {
    expect(expressions.render(template, context)).toEqual(value);
  });

  it.each([
    ['Block {{ inputs.ip }}?', 'Block 203.0.113.7?'],
    ['{{ inputs.ip }}:{{ inputs.count }}', '203.0.113.7:2'],
    ['Ports {{ inputs.ports }}', 'Ports [22,443]'],
    ['[{{ inputs.none }}]', '[]'],
    [' {{ inputs.count }}', ' 2'],
    ['}} {{ true }}', '}} true'],
  ])('puts values into text as text: %s', (template, value) => {
    expect(expressions.render(template, context)).toBe(value);
  });

  it('renders strings at any depth and leaves keys and other values alone', () => {
    const value = { '{{ inputs.ip }}': [1, null, { a: '{{ inputs.count }}', b: false }], plain: 'text' };
    expect(expressions.render(value, context)).toEqual({
      '{{ inputs.ip }}': [1, null, { a: 2, b: false }],
      plain: 'text',
    });
  });

  it('never evaluates what came out of data, so an event cannot bring code along', () => {
    expect(expressions.render('{{ inputs.note }}', context)).toBe('{{ inputs.ip }}');
    expect(expressions.render('Note: {{ inputs.note }}', context)).toBe('Note: {{ inputs.ip }}');
    expect(expressions.render(['{{ inputs.note + "{{ 1 }}" }}'], context)).toEqual(['{{ inputs.ip }}{{ 1 }}']);
  });

  it.each(['[1, 2]', '{"a": 1}', 'items.map(x, x)'])(
    'takes no %s for a key of a map, which would write all of it out as one',
    (key) => {
      const expressions = createExpressions();
      expect(() => expressions.render(`{{ {${key}: 1} \n}}`, { items: [1, 2] })).toThrow(/A key of a map/);
      expect(expressions.render('{{ {"a" + "b": 1, 2: 3, true: 4} \n}}', {})).toEqual({ ab: 1, 2: 3, true: 4 });
    },
  );

  it('mixes whole and fractional numbers, because JSON does not tell them apart', () => {
    expect(expressions.render('{{ inputs.count * 1.5 }}', context)).toBe(3);
    expect(expressions.render('{{ inputs.ratio + 1 }}', context)).toBe(1.5);
    expect(expressions.render('{{ 3 / inputs.ratio }}', context)).toBe(6);
    expect(expressions.render('{{ 1 - inputs.ratio }}', context)).toBe(0.5);
  });

  it('writes whole numbers beyond 2^53 as text instead of rounding them', () => {
    expect(expressions.render('{{ 9007199254740993 }}', context)).toBe('9007199254740993');
    expect(expressions.render('{{ actions.lookup.output.big }}', context)).toBe(2 ** 60);
  });
});

describe('conditions', () => {
  it.each([
    ["inputs.ip != ''", true],
    ['actions.lookup.output.score >= 90 && actions.lookup.status == "success"', true],
    ['actions.lookup.error == null', true],
    ['22 in inputs.ports', true],
    ['inputs.ip.matches("^203[.]0[.]113[.]")', true],
    ['inputs.ports.exists(p, p == 80)', false],
  ])('%s is %s', (text, value) => {
    expect(expressions.condition(text, context)).toBe(value);
  });

  it('refuses anything that is not a boolean rather than calling it true', () => {
    expect(codeOf(() => expressions.condition('inputs.count', context))).toBe('EXPRESSION_RESULT_UNSUPPORTED');
    expect(codeOf(() => expressions.condition('"false"', context))).toBe('EXPRESSION_RESULT_UNSUPPORTED');
  });
});

describe('problems', () => {
  it.each([
    ['inputs.ip ==', 'EXPRESSION_SYNTAX', 12],
    ['1 + "a"', 'EXPRESSION_TYPE', 0],
    ['a'.repeat(4097), 'EXPRESSION_TOO_LONG', undefined],
    [`${'('.repeat(100)}1${')'.repeat(100)}`, 'EXPRESSION_TOO_COMPLEX', undefined],
    ['items.map(1, 2)', 'EXPRESSION_SYNTAX', undefined],
  ])('finds what does not compile: %.30s', (text, code, position) => {
    const problem = expressions.check(text);
    expect(problem?.code).toBe(code);
    if (position !== undefined) expect(problem?.position).toBe(position);
  });

  it('has nothing to say about what compiles', () => {
    expect(expressions.check('inputs.whatever == unknown.variable')).toBeNull();
    expect(expressions.checkTemplates({ a: 'plain', b: ['x {{ inputs.ip }} y'] })).toEqual([]);
  });

  it('names path and position of every broken template, all at once', () => {
    const problems = expressions.checkTemplates({
      a: ['ok', 'IP {{ inputs. }} and {{ 1 + }}'],
      b: { c: 'x {{ 1' },
      d: '{{ }}',
    });
    expect(problems.map(({ path, code, position }) => [path.join('.'), code, position])).toEqual([
      ['a.1', 'EXPRESSION_SYNTAX', 14],
      ['a.1', 'EXPRESSION_SYNTAX', 28],
      ['b.c', 'TEMPLATE_UNCLOSED', 2],
      ['d', 'TEMPLATE_EMPTY', 0],
    ]);
  });

  it('counts the position of a failing evaluation in the template', () => {
    try {
      expressions.render('IP {{ inputs.missing }}', context);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ExpressionError);
      expect(error).toMatchObject({ code: 'EXPRESSION_FAILED', position: 13 });
    }
  });
});

describe('limits', () => {
  const big = { items: Array.from({ length: 1000 }, (_, index) => index), text: 'x'.repeat(1000) };

  it.each([
    'items.map(a, items.map(b, items.map(c, 1))).size()',
    'items.all(a, items.all(b, items.all(c, true)))',
    'items.exists(a, items.exists(b, items.exists(c, false)) || false)',
    'items.map(a, items.map(b, items == items)).size()',
    'items.map(a, items.map(b, b in items)).size()',
    'cel.bind(a, text + text, cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, cel.bind(e, d + d, cel.bind(f, e + e, cel.bind(g, f + f, cel.bind(h, g + g, cel.bind(i, h + h, cel.bind(j, i + i, cel.bind(k, j + j, k + k))))))))))).size()',
    'items.map(a, items.map(b, text.matches("(x+x+)+y"))).size()',
    'cel.bind(a, items + items, items.map(b, a + a)).size()',
  ])('stops work that grows without end: %.60s', (text) => {
    expect(codeOf(() => expressions.render(`{{ ${text} }}`, big))).toBe('EXPRESSION_TOO_COSTLY');
  });

  it('does not let || or all() hide that the budget is spent', () => {
    const hidden = 'items.all(a, items.all(b, items.all(c, true))) || true';
    expect(codeOf(() => expressions.condition(hidden, big))).toBe('EXPRESSION_TOO_COSTLY');
  });

  it('shares one budget among all expressions of a value', () => {
    const small = createExpressions({ maxCost: 2000 });
    const one = '{{ items.map(a, a).size() }}';
    expect(small.render(one, { items: big.items.slice(0, 100) })).toBe(100);
    expect(
      codeOf(() =>
        small.render(
          Array.from({ length: 50 }, () => one),
          { items: big.items.slice(0, 100) },
        ),
      ),
    ).toBe('EXPRESSION_TOO_COSTLY');
  });

  it('compiles a bounded amount for one call, and keeps what it compiled', () => {
    const sums = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) => `{{ ${from + n} + ${'1 + '.repeat(200)}1 }}`);
    const own = createExpressions();
    expect(own.render(sums(30, 0), {})).toHaveLength(30);
    expect(codeOf(() => own.render(sums(50, 100), {}))).toBe('EXPRESSION_TOO_COSTLY');
    expect(own.checkTemplates(sums(60, 200)).map(({ code }) => code)).toContain('EXPRESSION_TOO_COSTLY');
    const many = (count: number) => Array.from({ length: count }, (_, n) => `{{ ${n} }}`);
    expect(codeOf(() => createExpressions().render(many(600), {}))).toBe('EXPRESSION_TOO_COSTLY');
    // The same again is the same, whoever asks.
    for (let time = 0; time < 3; time += 1) {
      expect(own.checkTemplates(sums(60, 200)).map(({ code }) => code)).toContain('EXPRESSION_TOO_COSTLY');
    }
    expect(
      own.render(
        Array.from({ length: 2_000 }, () => '{{ 1 + 1 }}'),
        {},
      ),
    ).toHaveLength(2_000);
    expect(createExpressions({ maxCompiledLength: 1_000_000 }).render(sums(50, 300), {})).toHaveLength(50);
  });

  it('refuses data and results beyond the limits', () => {
    const small = createExpressions({ maxContextNodes: 100, maxOutputNodes: 50, maxOutputLength: 100 });
    expect(codeOf(() => small.render('{{ items }}', big))).toBe('EXPRESSION_CONTEXT_TOO_LARGE');
    expect(codeOf(() => small.render('{{ items }}', { items: big.items.slice(0, 60) }))).toBe(
      'EXPRESSION_OUTPUT_TOO_LARGE',
    );
    expect(codeOf(() => small.render('{{ text }}', big))).toBe('EXPRESSION_OUTPUT_TOO_LARGE');
    expect(codeOf(() => small.render(big.text, {}))).toBe('EXPRESSION_OUTPUT_TOO_LARGE');
  });

  it('only pays for the variables an expression names', () => {
    const small = createExpressions({ maxContextNodes: 100 });
    expect(small.render('{{ ip }}', { ip: '203.0.113.7', event: big.items })).toBe('203.0.113.7');
  });

  it('refuses data that contains itself instead of never ending', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(codeOf(() => expressions.render('{{ cycle }}', { cycle }))).toBe('EXPRESSION_CONTEXT_TOO_LARGE');
    expect(codeOf(() => expressions.render(cycle, {}))).toBe('EXPRESSION_OUTPUT_TOO_LARGE');
  });

  it('matches in linear time where a backtracking engine would not end', () => {
    expect(expressions.condition('text.matches("^(a+)+$")', { text: `${'a'.repeat(5000)}!` })).toBe(false);
  });
});

describe('rendering for each item', () => {
  it('gives every item its own value and place, beside what all of them share', () => {
    const value = { to: '{{ item.mail }}', n: '{{ index }}', of: '{{ inputs.name }}' };
    const items = [{ mail: 'a@example.com' }, { mail: 'b@example.com' }];
    expect(expressions.renderEach(value, { inputs: { name: 'x' } }, items)).toEqual([
      { ok: true, value: { to: 'a@example.com', n: 0, of: 'x' } },
      { ok: true, value: { to: 'b@example.com', n: 1, of: 'x' } },
    ]);
  });

  it('lets one item fail for itself and leaves the context as it was', () => {
    const context = { inputs: {} };
    const [first, second] = expressions.renderEach('{{ item.x }}', context, [1, { x: 2 }]);
    expect(first).toMatchObject({ ok: false, error: { code: 'EXPRESSION_FAILED' } });
    expect(second).toEqual({ ok: true, value: 2 });
    expect(context).toEqual({ inputs: {} });
  });

  it('bounds all items together, the names of fields included', () => {
    const rendered = expressions.renderEach({ ['k'.repeat(900_000)]: 1 }, {}, Array(10).fill(0));
    expect(rendered[0]).toMatchObject({ ok: true });
    expect(rendered.at(-1)).toMatchObject({ ok: false, error: { code: 'EXPRESSION_OUTPUT_TOO_LARGE' } });
  });

  it('bounds all items together as one rendering, so that a long list cannot multiply the work', () => {
    const small = createExpressions({ maxCost: 1_000, maxContextNodes: 200 });
    const costly = small.renderEach(
      '{{ inputs.list.map(x, x * item) }}',
      { inputs: { list: [1, 2, 3, 4, 5] } },
      Array(100).fill(2),
    );
    expect(costly[0]).toEqual({ ok: true, value: [2, 4, 6, 8, 10] });
    expect(costly.at(-1)).toMatchObject({ ok: false });
    const shared = { inputs: { list: Array.from({ length: 150 }, (_, n) => n) } };
    const read = small.renderEach('{{ inputs.list[index] }}', shared, [0, 0, 0, 0, 0]);
    expect(read.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
  });
});

describe('what an expression reads from its context', () => {
  it.each<[string, string[]]>([
    [
      `actions.a.output == inputs['b c'] && actions["d"].status == 'x'`,
      ['actions.a.output', 'inputs.b c', 'actions.d.status'],
    ],
    ['(actions).a.output[0].score', ['actions.a.output']],
    ['actions[inputs.which].output', ['actions', 'inputs.which']],
    ['size(inputs) + -run.x', ['inputs', 'run.x']],
    ['has(trigger.case_id) ? ip : null', ['trigger.case_id', 'ip']],
    [`{'inputs.a': [item, 1]}`, ['item']],
    // Texts, remarks, fields, functions and types only look like names.
    [`'actions.a' == trigger.inputs.x && r"inputs.y" != '' // run.id`, ['trigger.inputs.x']],
    ['type(inputs.n) == int && size("x") == 1', ['inputs.n']],
    // What a macro binds is its own, and only inside it.
    ['inputs.list.map(inputs, inputs.x + ip)', ['inputs.list', 'ip']],
    ['inputs.list.exists(ip, ip == 1) && ip == 2', ['inputs.list', 'ip']],
    ['inputs.a.filter(a, inputs.b.all(b, a + b + c == 3))', ['inputs.a', 'inputs.b', 'c']],
    ['cel.bind(twice, inputs.n * 2, twice + other)', ['inputs.n', 'other']],
  ])('%s', (text, expected) => {
    expect(expressions.reads(text).map(({ name, fields }) => [name, ...fields].join('.'))).toEqual(expected);
  });

  it('is not known of one that does not compile', () => {
    expect(codeOf(() => expressions.reads('inputs.'))).toBe('EXPRESSION_SYNTAX');
  });
});
