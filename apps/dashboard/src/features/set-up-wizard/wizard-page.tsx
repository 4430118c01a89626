import type { Onboarding } from '@airdeck/contracts/onboarding/schema';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconCheck } from '@tabler/icons-react';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { onboardingMutations, onboardingQueries } from '../../queries/onboarding.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AllowListStep } from './allow-list-step.tsx';
import { ReachabilityStep } from './reachability-step.tsx';
import {
  changedSetUp,
  type SetUpData,
  type Step,
  setUpData,
  stepAfter,
  stepOf,
  steps,
  stepWords,
} from './set-up-steps.ts';
import classes from './set-up-wizard.module.css';
import { SourceStep } from './source-step.tsx';

const route = getRouteApi('/_dashboard/set-up/$id');

/** One set-up, at the step it came to. Others may finish or delete it meanwhile: the list is live. */
export function WizardPage() {
  const id = route.useParams().id.toLowerCase();
  const { data: list } = useSuspenseQuery(onboardingQueries.list(useTenantApi()));
  const found = list.find((each) => each.id === id && each.kind === 'connector');
  if (found !== undefined) return <Wizard of={found} />;
  return (
    <>
      <PageHeader title={t('Connect systems')} />
      <Panel>
        <EmptyState
          title={t('This set-up is not in progress')}
          action={<Button renderRoot={(props) => <Link to="/set-up" {...props} />}>{t('To all set-ups')}</Button>}
        >
          {t('It was finished or deleted, or belongs to another tenant.')}
        </EmptyState>
      </Panel>
    </>
  );
}

/** What each step of the wizard is given. */
export type StepProps = {
  data: SetUpData;
  /** Keeps something without leaving the step. */
  onKeep: (data: SetUpData) => void;
  /** Keeps that the step is done, and goes to the next; after the last one the set-up is over. */
  onNext: (data?: SetUpData) => void;
  busy: boolean;
};

function Wizard({ of }: { of: Onboarding }) {
  const { step: asked } = route.useSearch();
  const { step, save, finish, next, keep } = useWizard(of, asked);
  const props: StepProps = {
    data: setUpData(of),
    onKeep: keep,
    onNext: next,
    busy: save.isPending || finish.isPending,
  };
  return (
    <>
      <PageHeader
        title={of.title}
        section={t('Connect systems')}
        eyebrow={
          <Link to="/set-up" className={classes.back}>
            <IconArrowLeft size={14} aria-hidden /> {t('All set-ups')}
          </Link>
        }
      />
      <div className={classes.wizard}>
        <StepList shown={step} reached={stepOf(of)} />
        <div className={classes.stack}>
          <ProblemNote error={save.error ?? finish.error} />
          {step === 'allow-list' ? <AllowListStep {...props} /> : null}
          {step === 'reachability' ? <ReachabilityStep {...props} /> : null}
          {step === 'source' ? <SourceStep {...props} /> : null}
        </div>
      </div>
    </>
  );
}

function useWizard(of: Onboarding, asked: Step | undefined) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const navigate = useNavigate();
  const save = useMutation(onboardingMutations.save(tenantApi, queryClient));
  const finish = useMutation(onboardingMutations.delete(tenantApi, queryClient));
  const reached = stepOf(of);
  // Nobody skips ahead by the address: what comes later builds on what is kept.
  const step = asked !== undefined && steps.indexOf(asked) <= steps.indexOf(reached) ? asked : reached;
  const go = (to: Step) => void navigate({ to: '/set-up/$id', params: { id: of.id }, search: { step: to } });
  const end = () =>
    finish.mutate(of.id, {
      onSuccess: () => {
        showDone(t('{title}: finished', { title: of.title }));
        void navigate({ to: '/home' });
      },
    });
  return {
    step,
    save,
    finish,
    keep: (data: SetUpData) => save.mutate({ id: of.id, body: changedSetUp(of, { data }) }),
    next(data: SetUpData = {}) {
      if (save.isPending || finish.isPending) return;
      const after = stepAfter(step);
      if (after === undefined) return end();
      save.mutate({ id: of.id, body: changedSetUp(of, { step: after, data }) }, { onSuccess: () => go(after) });
    },
  };
}

function StepList({ shown, reached }: { shown: Step; reached: Step }) {
  return (
    <nav aria-label={t('Steps')}>
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const state = index < steps.indexOf(reached) ? 'done' : index === steps.indexOf(reached) ? 'now' : 'later';
          const content = (
            <>
              <span className={classes.stepMark} data-state={state} aria-hidden="true">
                {state === 'done' ? <IconCheck size={14} /> : index + 1}
              </span>
              {stepWords(step).title}
            </>
          );
          return (
            <li key={step} aria-current={step === shown ? 'step' : undefined}>
              {state === 'later' ? (
                <span className={classes.step}>{content}</span>
              ) : (
                <Link from="/set-up/$id" to="/set-up/$id" search={{ step }} className={classes.step}>
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
