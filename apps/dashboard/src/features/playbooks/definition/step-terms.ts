import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { approverWords } from '../../../components/prompt/approver-words.ts';
import { t } from '../../../language/translate.ts';

/** One condition of a step; `code` is an expression that belongs to the words. */
export type StepTerm = { readonly text: string; readonly code?: string };

/** When a step runs and how: in sentences that stand for the fields that are set. */
export function stepTerms(action: PlaybookAction, locale: string): StepTerm[] {
  return [...orderTerms(action), ...kindTerms(action, (seconds) => formatDuration(seconds, locale))];
}

function orderTerms({ depends_on = [], when }: PlaybookAction): StepTerm[] {
  const after = depends_on.join(', ');
  return [
    after === '' ? { text: t('Runs at the start.') } : { text: t('Runs after '), code: after },
    ...(when === undefined ? [] : [{ text: t('Only when '), code: when }]),
  ];
}

type Spoken = (seconds: number) => string;

function kindTerms(action: PlaybookAction, spoken: Spoken): StepTerm[] {
  switch (action.kind) {
    case 'action':
      return actionTerms(action, spoken);
    case 'prompt':
      return promptTerms(action, spoken);
    case 'delay':
      return [{ text: t('The run pauses for {time}.', { time: spoken(action.seconds) }) }];
    case 'playbook':
      return failureTerms(action, spoken);
  }
}

function actionTerms(action: Extract<PlaybookAction, { kind: 'action' }>, spoken: Spoken): StepTerm[] {
  const { for_each, retry } = action;
  return [
    ...(for_each == null ? [] : [{ text: t('Once for each item of '), code: for_each }]),
    ...(retry === undefined
      ? []
      : [
          {
            text: t('Tried up to {attempts} times, {time} apart at first.', {
              attempts: retry.max_attempts,
              time: spoken(retry.backoff_s),
            }),
          },
        ]),
    ...failureTerms(action, spoken),
  ];
}

function failureTerms(
  { timeout_s, on_error }: { timeout_s?: number | undefined; on_error?: string | undefined },
  spoken: Spoken,
): StepTerm[] {
  return [
    ...(timeout_s === undefined ? [] : [{ text: t('Given up after {time}.', { time: spoken(timeout_s) }) }]),
    ...(on_error === 'continue' ? [{ text: t('The run goes on when it fails.') }] : []),
  ];
}

function promptTerms(action: Extract<PlaybookAction, { kind: 'prompt' }>, spoken: Spoken): StepTerm[] {
  const { options, approvers = {}, expires_in_s, default_option } = action;
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  return [
    { text: t('Answers: {answers}.', { answers: options.map(({ label }) => `“${label}”`).join(', ') }) },
    { text: t('May answer: {who}.', { who: approverWords(approvers) }) },
    ...(expires_in_s === undefined
      ? []
      : [
          {
            text: expiryText(spoken(expires_in_s), default_option === undefined ? undefined : labelOf(default_option)),
          },
        ]),
  ];
}

function expiryText(time: string, taken: string | undefined): string {
  return taken === undefined
    ? t('Without an answer within {time}, the step fails.', { time })
    : t('Without an answer within {time}, “{option}” is taken.', { time, option: taken });
}
