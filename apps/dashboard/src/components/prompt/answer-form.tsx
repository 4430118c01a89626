import type { Prompt } from '@airdeck/contracts/activity/schema';
import { limits } from '@airdeck/contracts/limits';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { PromptAnswer } from '../../queries/activity.ts';
import { useAccess } from '../../session/access.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { approverWords } from './approver-words.ts';
import classes from './prompt.module.css';

type Props = {
  prompt: Prompt;
  /** Option on its way to the server. */
  pending: string | undefined;
  onAnswer: (answer: PromptAnswer) => void;
};

/** Options of a question as buttons, and an optional comment. */
export function AnswerForm({ prompt, pending, onAnswer }: Props) {
  const [comment, setComment] = useState('');
  const access = useAccess('playbooks');
  const reason =
    access.reason ?? (prompt.can_answer ? undefined : `Only these may answer: ${approverWords(prompt.approvers)}.`);
  const give = (option: string) => {
    if (pending !== undefined) return;
    const note = comment.trim();
    onAnswer({ option, ...(note === '' ? {} : { comment: note }) });
  };
  return (
    <div className={classes.answer}>
      {reason === undefined ? (
        <Textarea
          aria-label="Comment"
          placeholder="Comment, optional"
          autosize
          minRows={1}
          maxRows={6}
          maxLength={limits.commentMax}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      ) : (
        <p className={classes.refused}>{reason}</p>
      )}
      <fieldset className={classes.options} aria-label={`Answers to: ${prompt.message}`}>
        {prompt.options.map(({ value, label, style }) => (
          <GuardedButton
            key={value}
            reason={reason}
            variant={style === 'primary' || style === 'danger' ? 'filled' : 'default'}
            // White on this red reads in both themes.
            {...(style === 'danger' ? { color: 'red.9' } : {})}
            loading={pending === value}
            onClick={() => give(value)}
          >
            {label}
          </GuardedButton>
        ))}
      </fieldset>
    </div>
  );
}
