import type { CaseActivity } from '@airdeck/contracts/cases/schema';
import { caseSeverities, closeReasons } from '@airdeck/contracts/statuses';
import { severityLooks } from '../../../components/status-table.ts';
import { closeReasonWords } from './close-reasons.ts';

type Told = Pick<CaseActivity, 'username' | 'kind' | 'text' | 'data'>;
type Naming = { nameOf: (username: string) => string };

export type Sentence = { text: string; note?: string };

/** How the server's text of a start begins. */
const STARTED = 'Started ';

/** Verb and object after the actor's name, and the words somebody wrote. Falls back to the server's text. */
export function storySentence({ username, kind, text, data }: Told, { nameOf }: Naming): Sentence {
  switch (kind) {
    case 'commented':
      return { text: 'commented', note: text };
    case 'status_changed':
      return { text: statusSentence(data) ?? `· ${text}` };
    case 'severity_changed':
      return { text: severitySentence(data) ?? `· ${text}` };
    case 'assigned':
      if (typeof data.to !== 'string') {
        return { text: data.from === username ? 'gave the case back' : 'took the assignment away' };
      }
      return { text: data.to === username ? 'took the case' : `assigned the case to ${nameOf(data.to)}` };
    case 'tagged':
      return { text: tagSentence(data) ?? `· ${text}` };
    case 'prompt_asked':
      return { text: `asked: ${text}` };
    case 'prompt_answered': {
      const answer = typeof data.option === 'string' ? `answered “${data.option}”` : `· ${text}`;
      return typeof data.comment === 'string' && data.comment !== ''
        ? { text: answer, note: data.comment }
        : { text: answer };
    }
    case 'waiting_changed':
      return { text: data.waiting === true ? 'waits on the customer' : 'goes on after the wait' };
    case 'opened':
    case 'sla_warning':
    case 'sla_breach':
    case 'escalated':
    case 'events_added':
      return { text: `· ${text}` };
    case 'run_started':
      // Somebody asked for it, as opposed to what started by itself.
      return {
        text:
          username === 'system' || !text.startsWith(STARTED) ? `· ${text}` : `started ${text.slice(STARTED.length)}`,
      };
    case 'run_finished':
    case 'action_finished':
      return { text: `· ${text}` };
  }
}

function statusSentence({ from, to, close_reason: given }: CaseActivity['data']): string | undefined {
  const reason = closeReasons.find((each) => each === given);
  const spoken = reason === undefined ? '' : ` as ${closeReasonWords[reason].label.toLowerCase()}`;
  if (to === 'closed') {
    return from === 'closed' ? `changed the close reason${spoken.replace(' as', ' to')}` : `closed the case${spoken}`;
  }
  if (to === 'acknowledged') return 'acknowledged the case';
  if (to === 'open') return from === 'closed' ? 'reopened the case' : 'set the case back to open';
  return undefined;
}

function severitySentence({ from, to }: CaseActivity['data']): string | undefined {
  const [before, after] = [from, to].map((given) => caseSeverities.find((each) => each === given));
  if (before === undefined || after === undefined) return undefined;
  const raised = caseSeverities.indexOf(after) > caseSeverities.indexOf(before);
  return `${raised ? 'raised' : 'lowered'} the severity from ${word(before)} to ${word(after)}`;
}

function word(severity: (typeof caseSeverities)[number]): string {
  return severityLooks[severity].word.toLowerCase();
}

function tagSentence({ added, removed }: CaseActivity['data']): string | undefined {
  const parts = [
    ...(isTextList(added) ? [`added the ${noun(added)} ${added.join(', ')}`] : []),
    ...(isTextList(removed) ? [`removed the ${noun(removed)} ${removed.join(', ')}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

function noun(tags: readonly string[]): string {
  return tags.length === 1 ? 'tag' : 'tags';
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
}
