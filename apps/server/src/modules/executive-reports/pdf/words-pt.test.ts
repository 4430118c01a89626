import { expect, test } from 'vitest';
import { wordsPt } from './words-pt.ts';

test('the Portuguese of one case is not that of several', () => {
  const summary = { cases: '1', opened: 1, change: '', answered: '100%' };
  expect(wordsPt.summaryAnswered(summary)).toBe('Foi aberto 1 caso. Ele teve uma resposta automática bem-sucedida.');
  expect(wordsPt.summaryAnswered({ ...summary, cases: '4', opened: 4, answered: '75%' })).toBe(
    'Foram abertos 4 casos. 75% deles tiveram uma resposta automática bem-sucedida.',
  );
  expect(wordsPt.targets({ with_targets: 1, late_responses: 1, late_resolutions: 0 })).toBe(
    'De 1 caso com prazos, 1 passou do prazo de resposta e 0 passaram do prazo de fechamento.',
  );
  expect(wordsPt.recommend.unanswered({ count: 1, cases: 5 })[1]).toMatch(/^1 de 5 casos não teve /);
});
