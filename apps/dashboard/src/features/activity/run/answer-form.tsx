import type { Prompt } from '@airdeck/contracts/activity/schema';
import { Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { PromptAnswer } from '../../../queries/activity.ts';
import { useAccess } from '../../../session/access.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { approverWords } from './approval.ts';
import classes from './run.module.css';

const COMMENT_MAX = 2000;

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
          maxLength={COMMENT_MAX}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      ) : (
        <p className={classes.refused}>{reason}</p>
      )}
      <Group gap="xs">
        {prompt.options.map(({ value, label, style }) => (
          <GuardedButton
            key={value}
            reason={reason}
            variant={style === 'primary' ? 'filled' : 'default'}
            className={style === 'danger' ? (classes.danger ?? '') : ''}
            loading={pending === value}
            onClick={() => give(value)}
          >
            {label}
          </GuardedButton>
        ))}
      </Group>
    </div>
  );
}
