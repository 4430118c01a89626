import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { FailureNote } from '../../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../../components/action-run/json-section.tsx';
import { t } from '../../../language/translate.ts';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Panel } from '../../../ui/panel.tsx';
import classes from './run.module.css';
import { RunFacts } from './run-facts.tsx';
import { RunFlow } from './run-flow.tsx';
import { RunHeader } from './run-header.tsx';
import type { RunSearch } from './run-search.ts';
import { RunSteps } from './run-steps.tsx';
import { stepElementId } from './step-element-id.ts';

/** One run: what it is at, what each action did, and what it asks. */
export function RunPage({ id, search }: { id: string; search: RunSearch }) {
  const { data: run } = useSuspenseQuery(runQueries.detail(useTenantApi(), id));
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({});
  const { definition, inputs, outputs } = run.playbook;
  const { error_info, status } = run.summary;

  const open = (actionId: string, isOpen: boolean) => setOpened((before) => ({ ...before, [actionId]: isOpen }));
  const asked = run.summary.actions_summary.find(
    ({ prompt_id }) => prompt_id !== null && prompt_id === search.prompt,
  )?.workflow_action_id;
  useLeadTo(asked, (actionId) => reveal(actionId));
  const reveal = (actionId: string) => {
    open(actionId, true);
    const step = document.getElementById(stepElementId(actionId));
    step?.scrollIntoView({ block: 'nearest' });
    step?.querySelector('button')?.focus({ preventScroll: true });
  };

  return (
    <>
      <RunHeader run={run} />
      {error_info === null ? null : (
        <div className={classes.failure}>
          <FailureNote error={error_info} />
        </div>
      )}
      {run.summary.on_hold === true ? (
        <p className={classes.hold} role="status">
          {t(
            'Automation is switched off in this tenant. The run goes on where it stands once it is switched on again.',
          )}
        </p>
      ) : null}
      <RunFlow run={run} onReveal={reveal} />
      <div className={classes.columns}>
        <div className={classes.story}>
          <RunSteps run={run} opened={opened} onOpen={open} search={search} />
          <Panel title={t('Outputs')}>
            <JsonSection
              value={outputs}
              label={t('Values of the outputs')}
              nothing={
                status === 'success' || Object.keys(definition.outputs).length === 0
                  ? t('This playbook has no outputs.')
                  : t('Outputs are there once the run has succeeded.')
              }
            />
          </Panel>
        </div>
        <aside className={classes.facts} aria-label={t('Facts of this run')}>
          <RunFacts run={run} />
          <Panel title={t('Inputs')}>
            <JsonSection
              value={inputs}
              label={t('Values of the inputs')}
              nothing={t('This run was started without inputs.')}
            />
          </Panel>
        </aside>
      </div>
    </>
  );
}

/** Leads to the action an address names, once, when it is there. */
function useLeadTo(actionId: string | undefined, lead: (actionId: string) => void): void {
  const go = useEffectEvent(lead);
  useEffect(() => {
    if (actionId !== undefined) go(actionId);
  }, [actionId]);
}
