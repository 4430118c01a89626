import type { Prompt } from '@airdeck/contracts/activity/schema';
import { IconUserQuestion } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { personName } from '../../../components/person-name.ts';
import { presentError } from '../../../lib/error-presentation.ts';
import { runMutations, runQueries } from '../../../queries/activity.ts';
import { useAccess } from '../../../session/access.ts';
import { useSession, useTenantApi } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { approvalRefusal } from './approval.ts';
import classes from './case.module.css';
import { GuardedButton } from './guarded-button.tsx';
import type { Question } from './open-questions.ts';
import { RunLink } from './run-link.tsx';

/** A question a response waits with: the most important thing on the screen, answered where it stands. */
export function QuestionCard({ question }: { question: Question }) {
  const prompt = useQuery(runQueries.prompt(useTenantApi(), { ...question, status: 'waiting' }));
  return (
    <section className={classes.question} aria-label="Question of a response">
      <IconUserQuestion size={20} className={classes.questionIcon} aria-hidden />
      {prompt.data !== undefined ? (
        <Asked prompt={prompt.data} question={question} />
      ) : prompt.isError ? (
        <ErrorState error={prompt.error} onRetry={() => void prompt.refetch()} retrying={prompt.isFetching} />
      ) : (
        <Loading label="Loading the question">
          <TextSkeleton lines={2} />
        </Loading>
      )}
    </section>
  );
}

function Asked({ prompt, question }: { prompt: Prompt; question: Question }) {
  const tenantApi = useTenantApi();
  const { user } = useCurrentUser();
  const { reason } = useAccess('playbooks');
  const { currentRole: role } = useSession();
  const answer = useMutation(runMutations.answer(tenantApi, useQueryClient(), { ...question, status: 'waiting' }));
  const { message, options, expires_at: expiresAt, asked_at: askedAt } = prompt;
  const answered = prompt.answered ?? answer.data?.answered ?? null;
  const refused = reason ?? (prompt.can_answer ? undefined : whyNot(prompt, { role, username: user.uname }));
  return (
    <div className={classes.asked}>
      <p className={classes.message}>{message}</p>
      <p className={classes.askedBy}>
        A playbook asks and waits · asked <RelativeTime time={askedAt} />
        {answered !== null || expiresAt === null ? null : (
          <>
            {' '}
            · {expiryText(prompt)} <RelativeTime time={expiresAt} />
          </>
        )}
        {' · '}
        <RunLink runId={question.runId}>See the run</RunLink>
      </p>
      {answered !== null ? (
        <p className={classes.answered} role="status">
          {personName(answered.username, user)} answered “{optionLabel(prompt, answered.option)}”{' '}
          <RelativeTime time={answered.at} />. The playbook goes on.
        </p>
      ) : (
        <fieldset className={classes.options} aria-label={`Answers to: ${message}`}>
          {options.map(({ value, label, style }) => (
            <GuardedButton
              key={value}
              variant={style === 'default' || style === undefined ? 'default' : 'filled'}
              {...(style === 'danger' ? { color: 'red.9' } : {})}
              reason={refused}
              loading={answer.isPending && answer.variables?.option === value}
              disabled={answer.isPending && answer.variables?.option !== value}
              onClick={() => answer.mutate({ option: value })}
            >
              {label}
            </GuardedButton>
          ))}
          {refused === undefined ? null : <span className={classes.faint}>{refused}</span>}
        </fieldset>
      )}
      {answer.isError && answered === null ? (
        <p className={classes.failed} role="alert">
          Not answered. {presentError(answer.error).text}
        </p>
      ) : null}
    </div>
  );
}

function whyNot(prompt: Prompt, reader: Parameters<typeof approvalRefusal>[1]): string {
  return approvalRefusal(prompt.approvers, reader) ?? 'This question is no longer open.';
}

function expiryText(prompt: Prompt): string {
  const fallback = prompt.default_option;
  return fallback === null ? 'closes' : `“${optionLabel(prompt, fallback)}” if nobody answers,`;
}

function optionLabel({ options }: Prompt, value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
