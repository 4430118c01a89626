import type { Prompt } from '@airdeck/contracts/activity/schema';
import { t } from '../../language/translate.ts';
import { approverWords } from './approver-words.ts';

export type AnswerChoices = {
  /** What can be chosen, as the buttons say it. */
  readonly options: readonly { readonly value: string; readonly label: string; readonly style: Style }[];
  /** Why the reader cannot answer; undefined when they can. */
  readonly reason: string | undefined;
};

type Style = Prompt['options'][number]['style'];

/**
 * What is left to answer for a reader of that name. Where two must agree and somebody has chosen: the confirmation of that,
 * for whoever chose it everything else, and for anybody the option that is taken when nobody answers, which needs no second.
 */
export function answerChoices(prompt: Prompt, username: string): AnswerChoices {
  const { first } = prompt.second_approval;
  const every = prompt.options.map(({ value, label, style }) => ({ value, label, style }));
  if (first === null) {
    return {
      options: every,
      reason: prompt.can_answer
        ? undefined
        : t('Only these may answer: {approverWords}.', { approverWords: approverWords(prompt.approvers) }),
    };
  }
  const reason = prompt.can_answer
    ? undefined
    : t('Only these may confirm: {approverWords}.', { approverWords: approverWords(prompt.approvers) });
  if (first.username === username) return { options: every.filter(({ value }) => value !== first.option), reason };
  return {
    options: every
      .filter(({ value }) => value === first.option || value === prompt.default_option)
      .map((option) =>
        option.value === first.option ? { ...option, label: t('Confirm: {label}', { label: option.label }) } : option,
      ),
    reason,
  };
}
