import type { CaseActivity } from '@airdeck/contracts/cases/schema';
import { plural } from '../../../language/plural.ts';
import { known, t } from '../../../language/translate.ts';

type Told = Pick<CaseActivity, 'kind' | 'text' | 'data'>;

/**
 * What happened by itself, in the reader's language. Values the data lack are taken from the server's English text; of a
 * text nobody knows here it is undefined.
 */
export function ownSentence({ kind, text, data }: Told): string | undefined {
  switch (kind) {
    case 'opened':
      return openedSentence(text);
    case 'events_added':
      return typeof data.count === 'number'
        ? plural(data.count, '{count} more matching event', '{count} more matching events')
        : undefined;
    case 'sla_warning':
      if (data.due === 'respond') return t('Soon due for a response');
      return data.due === 'resolve' ? t('Soon due for closing') : undefined;
    case 'sla_breach':
      if (data.due === 'respond') return t('Late for a response');
      return data.due === 'resolve' ? t('Late for closing') : undefined;
    case 'escalated':
      return typeof data.contact === 'string'
        ? t('Escalated to {contact} by mail', { contact: data.contact })
        : undefined;
    case 'run_started':
    case 'run_finished':
    case 'action_finished':
      return said(runSentences, text);
    default:
      return undefined;
  }
}

type Sentence = { pattern: RegExp; say: (parts: readonly string[]) => string };

const runSentences: readonly Sentence[] = [
  { pattern: /^Started (.+)$/s, say: ([name = '']) => t('Started {name}', { name }) },
  {
    pattern: /^(.+?) failed: (.+)$/s,
    say: ([name = '', problem = '']) => t('{name} failed: {problem}', { name, problem: known(problem) }),
  },
  {
    pattern: /^(.+?) could not start: (.+)$/s,
    say: ([name = '', problem = '']) => t('{name} could not start: {problem}', { name, problem: known(problem) }),
  },
  {
    pattern: /^(.+) succeeded for (\d+) of (\d+) items$/s,
    say: ([name = '', done = '', all = '']) => t('{name} succeeded for {done} of {all} items', { name, done, all }),
  },
  { pattern: /^(.+) succeeded$/s, say: ([name = '']) => t('{name} succeeded', { name }) },
  { pattern: /^(.+) finished$/s, say: ([name = '']) => t('{name} finished', { name }) },
  { pattern: /^(.+) was cancelled$/s, say: ([name = '']) => t('{name} was cancelled', { name }) },
];

const ruleSentences: readonly Sentence[] = [
  {
    pattern: /^threshold (\d+) within (.+)$/,
    say: ([count = '', time = '']) => t('threshold {count} within {time}', { count, time }),
  },
  {
    pattern: /^threshold (\d+) different (\S+) within (.+)$/,
    say: ([count = '', field = '', time = '']) =>
      t('threshold {count} different {field} within {time}', { count, field, time }),
  },
  {
    pattern: /^all (\d+) steps in any order within (.+)$/,
    say: ([count = '', time = '']) => t('all {count} steps in any order within {time}', { count, time }),
  },
  {
    pattern: /^all (\d+) steps in their order within (.+)$/,
    say: ([count = '', time = '']) => t('all {count} steps in their order within {time}', { count, time }),
  },
];

function openedSentence(text: string): string | undefined {
  if (text === 'Opened by hand') return t('Opened by hand');
  const [, name, count, rule] = /^Opened by policy (.+): (\d+) matching events?(?: \((.+)\))?$/s.exec(text) ?? [];
  if (name === undefined || count === undefined) return undefined;
  const events = plural(Number(count), '{count} matching event', '{count} matching events');
  return rule === undefined
    ? t('Opened by policy {name}: {events}', { name, events })
    : t('Opened by policy {name}: {events} ({rule})', { name, events, rule: said(ruleSentences, rule) ?? rule });
}

function said(sentences: readonly Sentence[], text: string): string | undefined {
  for (const { pattern, say } of sentences) {
    const found = pattern.exec(text);
    if (found !== null) return say(found.slice(1));
  }
  return undefined;
}
