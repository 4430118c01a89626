import { ApiError } from '@airdeck/api-client/api-error';
import type { Prompt } from '@airdeck/contracts/activity/schema';
import type { ActionStatus } from '@airdeck/contracts/statuses';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { presentError } from '../../lib/error-presentation.ts';
import { runMutations } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AnswerForm } from './answer-form.tsx';
import { AnswerGiven } from './answer-given.tsx';
import { approverWords } from './approver-words.ts';
import classes from './prompt.module.css';

type Props = {
  prompt: Prompt;
  /** State of the action that asks. */
  status: ActionStatus;
  /** Last of the terms, such as a link to the run. */
  more?: ReactNode;
};

/** The question, who may answer it until when, and the answer: to be given, or given. */
export function PromptQuestion({ prompt, status, more }: Props) {
  const outcome = useRef<HTMLDivElement>(null);
  const answer = useMutation(
    runMutations.answer(useTenantApi(), useQueryClient(), { runId: prompt.run_id, promptId: prompt.id, status }),
  );
  const lost = answer.error instanceof ApiError && answer.error.code === 'PROMPT_ALREADY_ANSWERED';
  const isOpen = prompt.answered === null && status === 'waiting';
  return (
    <div className={classes.parts}>
      <p className={classes.question}>{prompt.message}</p>
      <div ref={outcome} tabIndex={-1} role="status" className={classes.outcome}>
        {prompt.answered === null ? null : <AnswerGiven prompt={prompt} answered={prompt.answered} tooLate={lost} />}
        {answer.error === null || lost ? null : (
          <span className={classes.problem}>{presentError(answer.error).text}</span>
        )}
        {prompt.answered === null && status !== 'waiting' ? 'This question is closed without an answer.' : null}
      </div>
      {isOpen ? (
        <>
          <AnswerForm
            prompt={prompt}
            pending={answer.isPending ? answer.variables.option : undefined}
            // The buttons go away with the answer; the focus must not be lost with them.
            onAnswer={(given) => answer.mutate(given, { onSuccess: () => outcome.current?.focus() })}
          />
          <p className={classes.terms}>
            <span>May answer: {approverWords(prompt.approvers)}</span>
            <span>
              Asked <RelativeTime time={prompt.asked_at} />
            </span>
            {prompt.expires_at === null ? null : (
              <span>
                Expires <RelativeTime time={prompt.expires_at} />, then {expiryWords(prompt)}
              </span>
            )}
            {more}
          </p>
        </>
      ) : null}
    </div>
  );
}

function expiryWords({ default_option, options }: Prompt): string {
  if (default_option === null) return 'this action fails';
  const label = options.find(({ value }) => value === default_option)?.label ?? default_option;
  return `“${label}” is taken`;
}
