import { describe, expect, it } from 'vitest';
import { expressionsIn } from './expression-scan.ts';
import { testEvaluator } from './testing/test-evaluator.ts';

const { split } = testEvaluator;

describe('templates', () => {
  it('are found at any depth, with the path of their string', () => {
    expect(expressionsIn({ a: ['{{ one }} and {{ two }}', { b: '{{ three }}' }], c: 'plain' }, 'input', split)).toEqual(
      [
        { path: 'input.a[0]', text: 'one' },
        { path: 'input.a[0]', text: 'two' },
        { path: 'input.a[1].b', text: 'three' },
      ],
    );
  });

  it('end where the evaluator says', () => {
    const whole = (text: string) => [{ kind: 'expression' as const, text }];
    expect(expressionsIn('{{ {{ }} }}', 'x', whole)).toEqual([{ path: 'x', text: '{{ {{ }} }}' }]);
  });

  it('that the evaluator cannot take apart are found whole, with why', () => {
    expect(expressionsIn(['{{ one }} {{ open'], 'x', split)).toEqual([
      { path: 'x[0]', text: '{{ one }} {{ open', broken: 'A template is not closed.' },
    ]);
  });
});
