import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { Prompt } from '@airdeck/contracts/activity/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { presentError } from '../../lib/error-presentation.ts';
import { type PromptAnswer, type PromptRef, runMutations } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useCallIntent } from '../action-run/use-call-intent.ts';
import { AnswerForm } from './answer-form.tsx';
import { AnswerGiven } from './answer-given.tsx';
import { approverWords } from './approver-words.ts';
import { FirstApproval } from './first-approval.tsx';
import { labelOf } from './option-label.ts';
import classes from './prompt.module.css';

type Props = {
  prompt: Prompt;
  which: PromptRef;
  dryRun: boolean;
  /** Last of the terms, such as a link to the run. */
  more?: ReactNode;
  onPressed?: (() => void) | undefined;
};

/** The question, who may answer it until when, and the answer: to be given, or given. */
export function PromptQuestion({ prompt, which, dryRun, more, onPressed }: Props) {
  const { status } = which;
  const outcome = useRef<HTMLDivElement>(null);
  const [comment, setComment] = useState('');
  // A second press can come before it is drawn that the first is on its way; it would be told it came second.
  const sending = useRef(false);
  const answer = useMutation(runMutations.answer(useTenantApi(), useQueryClient(), { which, intent: useCallIntent() }));
  const lost = isRefusedWith(answer.error, 'PROMPT_ALREADY_ANSWERED');
  const isOpen = prompt.answered === null && status === 'waiting';
  // Of an action that succeeded there is an answer: it is being read.
  const isClosed = prompt.answered === null && status !== 'waiting' && status !== 'success';
  const { first } = prompt.second_approval;
  const give = (given: PromptAnswer) => {
    if (sending.current) return;
    sending.current = true;
    onPressed?.();
    answer.mutate(given, {
      onSuccess: () => {
        // Where a second person must confirm, another answer can follow: this one's comment is not said twice.
        setComment((now) => (now === comment ? '' : now));
        // The buttons go away with the answer; the focus must not be lost with them.
        outcome.current?.focus();
      },
      onSettled: () => {
        sending.current = false;
      },
    });
  };
  return (
    <div className={classes.parts}>
      <p className={classes.question}>{prompt.message}</p>
      <div ref={outcome} tabIndex={-1} role="status" className={classes.outcome}>
        {prompt.answered === null ? null : <AnswerGiven prompt={prompt} answered={prompt.answered} tooLate={lost} />}
        {answer.error === null || lost ? null : (
          <span className={classes.problem}>{presentError(answer.error).text}</span>
        )}
        {isClosed ? t('This question is closed without an answer.') : null}
        {isOpen && first !== null ? <FirstApproval prompt={prompt} first={first} /> : null}
      </div>
      {isOpen ? (
        <>
          <AnswerForm
            prompt={prompt}
            link={which.link}
            dryRun={dryRun}
            pending={answer.isPending ? answer.variables.option : undefined}
            comment={comment}
            onComment={setComment}
            onAnswer={give}
          />
          <Terms prompt={prompt} more={more} />
        </>
      ) : null}
    </div>
  );
}

function Terms({ prompt, more }: Pick<Props, 'prompt' | 'more'>) {
  return (
    <p className={classes.terms}>
      <span>{t('May answer: {approverWords}', { approverWords: approverWords(prompt.approvers) })}</span>
      {prompt.second_approval.required ? <span>{t('Two people must agree, as what follows destroys')}</span> : null}
      <span>{tx('Asked {time}', { time: <RelativeTime time={prompt.asked_at} /> })}</span>
      {prompt.expires_at === null ? null : (
        <span>
          {tx('Expires {time}, then {expiryWords}', {
            time: <RelativeTime time={prompt.expires_at} />,
            expiryWords: expiryWords(prompt),
          })}
        </span>
      )}
      {more}
    </p>
  );
}

function expiryWords({ default_option, options }: Prompt): string {
  return default_option === null
    ? t('this action fails')
    : t('“{labelOf}” is taken', { labelOf: labelOf(options, default_option) });
}
