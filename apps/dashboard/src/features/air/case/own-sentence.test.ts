import type { CaseActivity } from '@airdeck/contracts/cases/schema';
import { expect, test } from 'vitest';
import { texts } from '../../../language/pt-BR/screens.ts';
import { addTexts } from '../../../language/translate.ts';
import { ownSentence } from './own-sentence.ts';

type Row = [kind: CaseActivity['kind'], text: string, data: CaseActivity['data'], english: string, portuguese: string];

/** What the server writes, in the words of each language. */
const rows: Row[] = [
  ['opened', 'Opened by hand', {}, 'Opened by hand', 'Aberto manualmente'],
  [
    'opened',
    'Opened by policy Guessing: 1204 matching events (threshold 5 within 10 min)',
    {},
    'Opened by policy Guessing: 1,204 matching events (threshold 5 within 10 min)',
    'Aberto pela política Guessing: 1.204 eventos correspondentes (limiar: 5 em até 10 min)',
  ],
  [
    'opened',
    'Opened by policy A: B: 1 matching event (threshold 5 different user within 1 h)',
    {},
    'Opened by policy A: B: 1 matching event (threshold 5 different user within 1 h)',
    'Aberto pela política A: B: 1 evento correspondente (limiar: 5 valores diferentes de user em até 1 h)',
  ],
  [
    'opened',
    'Opened by policy Steps: 3 matching events (all 3 steps in any order within 10 min)',
    {},
    'Opened by policy Steps: 3 matching events (all 3 steps in any order within 10 min)',
    'Aberto pela política Steps: 3 eventos correspondentes (todas as 3 etapas em qualquer ordem, em até 10 min)',
  ],
  ['events_added', '2 more matching events', { count: 2 }, '2 more matching events', 'Mais 2 eventos correspondentes'],
  [
    'sla_warning',
    'Soon due for a response',
    { due: 'respond' },
    'Soon due for a response',
    'Prazo de resposta próximo',
  ],
  ['sla_breach', 'Late for closing', { due: 'resolve' }, 'Late for closing', 'Em atraso para fechamento'],
  [
    'escalated',
    'Escalated to Ana by mail',
    { contact: 'Ana' },
    'Escalated to Ana by mail',
    'Escalado para Ana por e-mail',
  ],
  ['run_started', 'Started Block address', {}, 'Started Block address', 'Início de Block address'],
  ['run_finished', 'Block address finished', {}, 'Block address finished', 'Conclusão de Block address'],
  ['action_finished', 'Check was cancelled', {}, 'Check was cancelled', 'Cancelamento de Check'],
  [
    'run_finished',
    'Block could not start: Its playbook no longer exists.',
    {},
    'Block could not start: Its playbook no longer exists.',
    'Não foi possível iniciar Block: Its playbook no longer exists.',
  ],
  ['action_finished', 'Check failed: No route.', {}, 'Check failed: No route.', 'Check falhou: No route.'],
  [
    'action_finished',
    'Check succeeded for 9 of 120 items',
    {},
    'Check succeeded for 9 of 120 items',
    'Check teve sucesso em 9 de 120 itens',
  ],
];

const tell = ([kind, text, data]: Row) => ownSentence({ kind, text, data });

test('English readers read what the server wrote', () => {
  expect(rows.map(tell)).toEqual(rows.map(([, , , english]) => english));
});

test('what the server may write one day is no sentence of ours', () => {
  expect(ownSentence({ kind: 'opened', text: 'Opened by magic', data: {} })).toBeUndefined();
  expect(ownSentence({ kind: 'sla_breach', text: 'Late', data: { due: 'tea' } })).toBeUndefined();
});

// Last: the language is settled once for a page.
test('others read it in their language, or a story would be half English', () => {
  addTexts('pt-BR', texts);
  expect(rows.map(tell)).toEqual(rows.map(([, , , , portuguese]) => portuguese));
});
