import type { Prompt } from '@airdeck/contracts/activity/schema';
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import type { PromptAnswer } from '../../queries/activity.ts';
import { useAccess } from '../../session/access.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { type AnswerChoices, answerChoices } from './answer-choices.ts';
import { labelOf } from './option-label.ts';
import classes from './prompt.module.css';

type Props = {
  prompt: Prompt;
  /** Signed answer of a notice's link. */
  link: string | undefined;
  /** The run only tries, so no answer warns. */
  dryRun: boolean;
  /** Option on its way to the server. */
  pending: string | undefined;
  comment: string;
  onComment: (comment: string) => void;
  onAnswer: (answer: PromptAnswer) => void;
};

/** Options of a question as buttons, and an optional comment. A link's own option is offered alone, to be confirmed. */
export function AnswerForm({ prompt, link, dryRun, pending, comment, onComment, onAnswer }: Props) {
  const first = prompt.second_approval.first?.option ?? '';
  // Once somebody has chosen, what is left to answer is another question, and the link's own option is offered again.
  const [otherwiseAfter, setOtherwiseAfter] = useState<string>();
  const access = useAccess('playbooks');
  const { user } = useCurrentUser();
  const choices = answerChoices(prompt, user.uname);
  const reason = access.reason ?? choices.reason;
  const linked = reason === undefined && otherwiseAfter !== first ? linkedOption(prompt, choices) : undefined;
  const give = (option: string) => {
    const note = comment.trim();
    onAnswer({
      option,
      ...(note === '' ? {} : { comment: note }),
      ...(link !== undefined && option === prompt.link_option ? { token: link } : {}),
    });
  };
  return (
    <div className={classes.answer}>
      {prompt.link_option === null && reason === undefined ? (
        <p className={classes.refused}>
          {t('The link you came by has been used, has expired or was made for somebody else. You can answer here.')}
        </p>
      ) : null}
      {linked === undefined ? null : (
        <p className={classes.linked}>
          {tx('You are about to answer {labelOf}.', {
            labelOf: <strong>{labelOf(prompt.options, linked.value)}</strong>,
          })}
        </p>
      )}
      {reason === undefined ? (
        <Textarea
          aria-label={t('Comment')}
          placeholder={t('Comment, optional')}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={COMMENT_MAX}
          value={comment}
          onChange={(event) => onComment(event.currentTarget.value)}
        />
      ) : (
        <p className={classes.refused}>{reason}</p>
      )}
      {dryRun ? <p className={classes.refused}>{t('Dry run: nothing is changed, whatever you answer.')}</p> : null}
      <fieldset className={classes.options} aria-label={t('Answers to: {message}', { message: prompt.message })}>
        {(linked === undefined ? choices.options : [linked]).map(({ value, label, style }) => (
          <GuardedButton
            key={value}
            reason={reason}
            variant={
              linked !== undefined || style === 'primary' || (style === 'danger' && !dryRun) ? 'filled' : 'default'
            }
            // White on this red reads in both themes.
            {...(style === 'danger' && !dryRun ? { color: 'red.9' } : {})}
            loading={pending === value}
            onClick={() => give(value)}
          >
            {linked === undefined ? label : t('Answer: {labelOf}', { labelOf: labelOf(prompt.options, value) })}
          </GuardedButton>
        ))}
        {linked === undefined ? null : (
          <Button variant="default" disabled={pending !== undefined} onClick={() => setOtherwiseAfter(first)}>
            {t('Choose otherwise')}
          </Button>
        )}
      </fieldset>
    </div>
  );
}

/** The contract's own bound of an answer's comment. */
const COMMENT_MAX = 2000;

/** What the link stands for, as long as it can still be chosen. */
function linkedOption(prompt: Prompt, { options }: AnswerChoices): AnswerChoices['options'][number] | undefined {
  return options.find(({ value }) => value === prompt.link_option);
}
