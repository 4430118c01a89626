import type { RuleResponseDryRun } from '@airdeck/contracts/rule-responses/schema';
import { Button, NativeSelect } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ProblemNote } from '../../components/problem-note.tsx';
import { DryRunBadge } from '../../components/run-list/dry-run-badge.tsx';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { t, told } from '../../language/translate.ts';
import { runQueries } from '../../queries/activity.ts';
import { caseQueries } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './automation.module.css';
import { type AutomationDraft, bodyOf, missingParts, sameDraft } from './automation-draft.ts';

const SHOWN = 20;

type Props = {
  draft: AutomationDraft;
  caseId: string | undefined;
  onCase: (id: string | undefined) => void;
};

/** Tries what is in the form on a case of the past; nothing acts. */
export function TrialPanel({ draft, caseId, onCase }: Props) {
  const { api, tenantId } = useTenantApi();
  const { cases, areOfPolicy } = usePastCases(draft.ruleId);
  const trial = useMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ of, caseId: case_id }: { of: AutomationDraft; caseId: string }) => {
      const body = { response: { ...bodyOf(of), response_name: of.name.trim() || t('Trial') }, case_id };
      return api.call('rule-responses.dry-run', { params: { tenant: tenantId }, body });
    },
  });
  const [newest] = cases ?? [];
  useEffect(() => {
    if (cases !== undefined && !cases.some(({ id }) => id === caseId)) onCase(newest?.id);
  }, [cases, caseId, newest, onCase]);
  const tried = trial.variables;
  const isOld = tried !== undefined && !isSameTrial(tried.of, draft);
  const [open] = missingParts({ ...draft, name: t('Trial') });
  return (
    <Panel title={t('Try it on a past case')}>
      <div className={classes.stack}>
        {cases === undefined ? null : cases.length === 0 ? (
          <p className={classes.about}>
            {t('There is no case to try it on yet. The first one shows what it would get.')}
          </p>
        ) : (
          <>
            <NativeSelect
              label={t('Case')}
              description={
                areOfPolicy || draft.ruleId === ''
                  ? undefined
                  : t('This policy has opened no case yet, so these are of others.')
              }
              value={caseId ?? ''}
              data={cases.map(({ id, reference, alert_name }) => ({
                value: id,
                label: `${reference} · ${alert_name}`,
              }))}
              onChange={({ currentTarget: { value } }) => {
                onCase(value);
                trial.reset();
              }}
            />
            <div>
              <GuardedButton
                variant="default"
                reason={open?.message}
                loading={trial.isPending}
                leftSection={<IconFlask size={16} aria-hidden />}
                onClick={() => caseId !== undefined && trial.mutate({ of: draft, caseId })}
              >
                {t('Try it')}
              </GuardedButton>
            </div>
          </>
        )}
        <ProblemNote error={isOld ? null : trial.error} />
        {trial.data === undefined ? null : (
          <>
            {isOld ? (
              <p className={classes.about} role="status">
                {t('The automation was changed since. Try it again.')}
              </p>
            ) : null}
            <Outcome result={trial.data} type={trial.variables.of.type} />
          </>
        )}
      </div>
    </Panel>
  );
}

/** Its name and whether it is on change nothing of what a trial finds. */
function isSameTrial(one: AutomationDraft, other: AutomationDraft): boolean {
  const { name, enabled } = one;
  return sameDraft(one, { ...other, name, enabled });
}

/** Those of the policy; the newest of any other where it has opened none. */
function usePastCases(ruleId: string) {
  const tenantApi = useTenantApi();
  const query = { limit: SHOWN, sort: '-time_opened' } as const;
  const own = useQuery({ ...caseQueries.list(tenantApi, { ...query, policy: ruleId }), enabled: ruleId !== '' });
  const hasNone = ruleId === '' || own.data?.total === 0;
  const any = useQuery({ ...caseQueries.list(tenantApi, query), enabled: hasNone });
  return { cases: hasNone ? any.data?.cases : own.data?.cases, areOfPolicy: !hasNone };
}

function Outcome({ result, type }: { result: RuleResponseDryRun; type: AutomationDraft['type'] }) {
  const { condition, inputs, problems, run_id: runId } = result;
  const would = condition.holds === true && inputs !== null && problems.length === 0;
  return (
    <section className={classes.outcome} aria-label={t('What would have happened')} role="status">
      <p className={classes.verdict} data-good={would || undefined}>
        {would
          ? type === 'action'
            ? t('It would have started the action.')
            : t('It would have started the playbook.')
          : condition.holds === false
            ? t('It would not have started: the condition does not hold for this case.')
            : t('It could not have started.')}
      </p>
      {condition.problem === null ? null : <p className={classes.problem}>{condition.problem}</p>}
      {problems.map((problem) => (
        <p key={`${problem.path} ${problem.message}`} className={classes.problem}>
          {isOfResponse(problem) ? told(problem) : `${problem.path.replace(/^inputs\./, '')} ${told(problem)}`}
        </p>
      ))}
      {inputs === null ? null : (
        <>
          <h3 className={classes.sectionTitle}>{t('What it would have got')}</h3>
          <JsonTree value={inputs} label={t('Inputs filled in')} />
        </>
      )}
      {runId === null ? null : <TrialRun id={runId} />}
    </section>
  );
}

/** A sentence of its own; others are about the field at their path. */
function isOfResponse({ message }: RuleResponseDryRun['problems'][number]): boolean {
  return message.startsWith('Its ');
}

function TrialRun({ id }: { id: string }) {
  const run = useQuery(runQueries.detail(useTenantApi(), id));
  return (
    <p className={classes.line}>
      <DryRunBadge />
      {run.data === undefined ? null : <RunStatusBadge status={run.data.summary.status} variant="plain" />}
      <Button component={Link} to={`/activity/playbooks/${id}`} size="compact-xs" variant="default">
        {t('Open the dry run')}
      </Button>
    </p>
  );
}
