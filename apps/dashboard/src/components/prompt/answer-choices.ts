import type { Prompt } from '@airdeck/contracts/activity/schema';
import { approverWords } from './approver-words.ts';

export type AnswerChoices = {
  /** What can be chosen, as the buttons say it. */
  readonly options: readonly { readonly value: string; readonly label: string; readonly style: Style }[];
  /** Why the reader cannot answer; undefined when they can. */
  readonly reason: string | undefined;
};

type Style = Prompt['options'][number]['style'];

/** What is left to answer for a reader of that name: all options, or once somebody has chosen the confirmation of it. */
export function answerChoices(prompt: Prompt, username: string): AnswerChoices {
  const { first } = prompt.second_approval;
  if (first === null) {
    return {
      options: prompt.options.map(({ value, label, style }) => ({ value, label, style })),
      reason: prompt.can_answer ? undefined : `Only these may answer: ${approverWords(prompt.approvers)}.`,
    };
  }
  const options = prompt.options
    .filter(({ value }) => value === first.option)
    .map(({ value, label, style }) => ({ value, label: `Confirm: ${label}`, style }));
  if (prompt.can_answer) return { options, reason: undefined };
  return {
    options,
    reason:
      first.username === username
        ? 'You have chosen already; somebody else must confirm.'
        : `Only these may confirm: ${approverWords(prompt.approvers)}.`,
  };
}
