import type { CaseActivity } from '@airdeck/contracts/cases/schema';
import { caseSeverities, closeReasons } from '@airdeck/contracts/statuses';
import { severityLooks } from '../../../components/status-table.ts';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { closeReasonWords } from './close-reasons.ts';
import { ownSentence } from './own-sentence.ts';

type Told = Pick<CaseActivity, 'username' | 'kind' | 'text' | 'data'>;
type Naming = { nameOf: (username: string) => string };

export type Sentence = { text: string; note?: string };

/** How the server's text of a start begins. */
const STARTED = 'Started ';

/** Verb and object after the actor's name, and the words somebody wrote. Falls back to the server's text. */
export function storySentence({ username, kind, text, data }: Told, { nameOf }: Naming): Sentence {
  const byItself = () => ({ text: `· ${ownSentence({ kind, text, data }) ?? text}` });
  switch (kind) {
    case 'commented':
      return { text: t('commented'), note: text };
    case 'status_changed':
      return { text: statusSentence(data) ?? `· ${text}` };
    case 'severity_changed':
      return { text: severitySentence(data) ?? `· ${text}` };
    case 'assigned':
      if (typeof data.to !== 'string') {
        return { text: data.from === username ? t('gave the case back') : t('took the assignment away') };
      }
      return {
        text:
          data.to === username ? t('took the case') : t('assigned the case to {person}', { person: nameOf(data.to) }),
      };
    case 'tagged':
      return { text: tagSentence(data) ?? `· ${text}` };
    case 'prompt_asked':
      return { text: t('asked: {text}', { text }) };
    case 'prompt_answered': {
      const answer = typeof data.option === 'string' ? t('answered “{option}”', { option: data.option }) : `· ${text}`;
      return typeof data.comment === 'string' && data.comment !== ''
        ? { text: answer, note: data.comment }
        : { text: answer };
    }
    case 'waiting_changed':
      return { text: data.waiting === true ? t('waits on the customer') : t('goes on after the wait') };
    case 'run_started':
      // Somebody asked for it, as opposed to what started by itself.
      if (username !== 'system' && text.startsWith(STARTED)) {
        return { text: t('started {name}', { name: text.slice(STARTED.length) }) };
      }
      return byItself();
    case 'opened':
    case 'sla_warning':
    case 'sla_breach':
    case 'escalated':
    case 'events_added':
    case 'run_finished':
    case 'action_finished':
      return byItself();
  }
}

function statusSentence({ from, to, close_reason: given }: CaseActivity['data']): string | undefined {
  const found = closeReasons.find((each) => each === given);
  const reason = found && closeReasonWords[found].label.toLowerCase();
  if (to === 'closed' && from === 'closed') {
    return reason === undefined ? t('changed the close reason') : t('changed the close reason to {reason}', { reason });
  }
  if (to === 'closed') {
    return reason === undefined ? t('closed the case') : t('closed the case as {reason}', { reason });
  }
  if (to === 'acknowledged') return t('acknowledged the case');
  if (to === 'open') return from === 'closed' ? t('reopened the case') : t('set the case back to open');
  return undefined;
}

function severitySentence({ from, to }: CaseActivity['data']): string | undefined {
  const [before, after] = [from, to].map((given) => caseSeverities.find((each) => each === given));
  if (before === undefined || after === undefined) return undefined;
  const words = { before: word(before), after: word(after) };
  return caseSeverities.indexOf(after) > caseSeverities.indexOf(before)
    ? t('raised the severity from {before} to {after}', words)
    : t('lowered the severity from {before} to {after}', words);
}

function word(severity: (typeof caseSeverities)[number]): string {
  return severityLooks[severity].word.toLowerCase();
}

function tagSentence({ added, removed }: CaseActivity['data']): string | undefined {
  const addition = isTextList(added)
    ? plural(added.length, 'added the tag {tags}', 'added the tags {tags}', { tags: added.join(', ') })
    : undefined;
  const removal = isTextList(removed)
    ? plural(removed.length, 'removed the tag {tags}', 'removed the tags {tags}', { tags: removed.join(', ') })
    : undefined;
  if (addition === undefined || removal === undefined) return addition ?? removal;
  return t('{addition} and {removal}', { addition, removal });
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}
