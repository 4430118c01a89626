import { afterEach, expect, test, vi } from 'vitest';
import server from '../../language/pt-BR/server.json';

// Each test has a page of its own: the language is settled once for a page.
afterEach(() => vi.resetModules());

async function page(language: 'en' | 'pt-BR') {
  if (language === 'pt-BR') (await import('../../language/translate.ts')).addTexts('pt-BR', server);
  return await import('./query-problem.ts');
}

/** As the server refuses a query with too many terms. */
async function refusal() {
  const { ApiError } = await import('@airdeck/api-client/api-error');
  return new ApiError({
    ...{ category: 'client', code: 'QUERY_INVALID', endpoint: '/x', method: 'POST', status: 400 },
    message: 'A query may have 500 terms.',
    details: [
      {
        path: 'body.query',
        ...{ message: 'A query may have 500 terms.', reason: 'QUERY_TOO_MANY_TERMS', values: { maximum: 500 } },
        ...{ suggestion: 'Split it into several searches.', start: 3, end: 4 },
      },
    ],
  });
}

test('what is wrong with a query, and what to do, is said in Portuguese at the same place', async () => {
  const { problemOf, hintsOf, problemIn } = await page('pt-BR');
  expect(problemOf('user: ')).toMatchObject({
    span: { start: 0, end: 4 },
    message: 'Não há valor depois de user:.',
    suggestion: 'Escreva user:valor, ou user:* para qualquer valor.',
  });
  expect(hintsOf('a and b')).toEqual(['“and” é pesquisado como palavra; escreva AND para o operador.']);
  expect(problemIn(await refusal())).toMatchObject({
    span: { start: 3, end: 4 },
    message: 'Uma consulta pode ter 500 termos.',
    suggestion: 'Divida-a em várias pesquisas.',
  });
});

test('in English the sentences are those of the language and the server', async () => {
  const { problemOf, problemIn } = await page('en');
  expect(problemOf('user: ')?.message).toBe('There is no value behind user:.');
  expect(problemIn(await refusal())?.suggestion).toBe('Split it into several searches.');
});
