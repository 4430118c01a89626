import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { defined } from '../../lib/search-params.ts';
import { useApp } from '../../session/app-context.ts';
import { dropHandover } from '../../session/handover.ts';
import { AuthenticatorMissing, finishSetUp, type SetUpTask, setUpTasks } from './finish-set-up.ts';
import classes from './onboarding.module.css';
import { OnboardingSteps } from './onboarding-steps.tsx';

const words: Readonly<Record<SetUpTask, string>> = {
  sign_in: t('Renew your sign-in'),
  authenticator: t('Check your authenticator'),
  account: t('Load your account'),
  tenant: t('Open your tenant'),
};

type Progress = { task: SetUpTask; problem?: unknown };

/** Last step: what really has to happen before the dashboard opens, and where it stands. */
export function SettingUpPage({ redirect }: { redirect: string | undefined }) {
  const context = useApp();
  const router = useRouter();
  const [attempt, setAttempt] = useState(0);
  const [{ task, problem }, setProgress] = useState<Progress>({ task: 'sign_in' });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another run
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const run = finishSetUp({
      context,
      redirect,
      signal,
      onTask: (next) => signal.aborted || setProgress({ task: next }),
      deps: { wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)), now: Date.now, random: Math.random },
    });
    run.then(
      (href) => {
        if (signal.aborted) return;
        dropHandover(context.queryClient);
        if (href === undefined) void router.navigate({ to: '/account-not-found', search: defined({ redirect }) });
        else void router.navigate({ href, replace: true });
      },
      (error: unknown) => {
        if (!signal.aborted) setProgress((before) => ({ ...before, problem: error }));
      },
    );
    return () => stopped.abort();
  }, [attempt]);

  const at = setUpTasks.indexOf(task);
  return (
    <EntryCard title={t('Setting up')} text={t('Your dashboard opens in a moment.')}>
      <OnboardingSteps current="ready" />
      <ol className={classes.tasks} aria-live="polite">
        {setUpTasks.map((each, index) => (
          <Task key={each} label={words[each]} state={stateOf(index, at, problem !== undefined)} />
        ))}
      </ol>
      {problem === undefined ? null : (
        <>
          {problem instanceof AuthenticatorMissing ? (
            <div role="alert">{t('The server does not count your authenticator yet. Try again in a moment.')}</div>
          ) : (
            <ProblemNote error={problem} />
          )}
          <div>
            <Button onClick={() => setAttempt(attempt + 1)}>{t('Try again')}</Button>
          </div>
        </>
      )}
    </EntryCard>
  );
}

type TaskState = 'waiting' | 'running' | 'done' | 'failed';

function stateOf(index: number, at: number, failed: boolean): TaskState {
  if (index < at) return 'done';
  if (index > at) return 'waiting';
  return failed ? 'failed' : 'running';
}

const stateWords: Readonly<Record<TaskState, string>> = {
  waiting: t('not begun'),
  running: t('running'),
  done: t('done'),
  failed: t('failed'),
};

function Task({ label, state }: { label: string; state: TaskState }) {
  return (
    <li data-state={state} aria-label={`${label}: ${stateWords[state]}`}>
      {state === 'running' ? <Loader size={16} /> : null}
      {state === 'done' ? <IconCircleCheck size={16} className={classes.ok} aria-hidden /> : null}
      {state === 'failed' ? <IconAlertTriangle size={16} className={classes.bad} aria-hidden /> : null}
      {state === 'waiting' ? <IconCircle size={16} aria-hidden /> : null}
      {label}
    </li>
  );
}
