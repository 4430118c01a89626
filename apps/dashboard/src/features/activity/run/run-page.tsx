import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNote } from '../../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../../components/action-run/json-section.tsx';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Panel } from '../../../ui/panel.tsx';
import classes from './run.module.css';
import { RunFacts } from './run-facts.tsx';
import { RunFlow } from './run-flow.tsx';
import { RunHeader } from './run-header.tsx';
import { RunSteps } from './run-steps.tsx';
import { stepElementId } from './step-element-id.ts';

/** One run: what it is at, what each action did, and what it asks. */
export function RunPage({ id }: { id: string }) {
  const { data: run } = useSuspenseQuery(runQueries.detail(useTenantApi(), id));
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({});
  const { definition, inputs, outputs } = run.playbook;
  const { error_info, status } = run.summary;

  const open = (actionId: string, isOpen: boolean) => setOpened((before) => ({ ...before, [actionId]: isOpen }));
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
      <RunFlow run={run} onReveal={reveal} />
      <div className={classes.columns}>
        <div className={classes.story}>
          <RunSteps run={run} opened={opened} onOpen={open} />
          <Panel title="Outputs">
            <JsonSection
              value={outputs}
              label="Values of the outputs"
              nothing={
                status === 'success' || Object.keys(definition.outputs).length === 0
                  ? 'This playbook has no outputs.'
                  : 'Outputs are there once the run has succeeded.'
              }
            />
          </Panel>
        </div>
        <aside className={classes.facts} aria-label="Facts of this run">
          <RunFacts run={run} />
          <Panel title="Inputs">
            <JsonSection value={inputs} label="Values of the inputs" nothing="This run was started without inputs." />
          </Panel>
        </aside>
      </div>
    </>
  );
}
