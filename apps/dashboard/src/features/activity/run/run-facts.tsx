import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { Person } from '../../../components/person.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Duration } from '../duration.tsx';
import { triggerWords } from '../trigger-words.ts';
import { CaseLink } from './case-link.tsx';
import classes from './run.module.css';

/** What identifies a run, beside its story. */
export function RunFacts({ run }: { run: PlaybookRun }) {
  const { summary } = run;
  const { trigger_info: trigger, workflow_uuid: id } = summary;
  const { description, author } = run.playbook.definition.metadata;
  return (
    <Panel title="Facts">
      <KeyFacts
        facts={[
          { label: 'Trigger', value: triggerWords(trigger) },
          { label: 'Started by', value: <Person username={trigger.username} /> },
          ...(trigger.user_tenant_name === null ? [] : [{ label: 'Of', value: trigger.user_tenant_name }]),
          ...(trigger.case_id === null ? [] : [{ label: 'Case', value: <CaseLink id={trigger.case_id} /> }]),
          { label: 'Started', value: <RelativeTime time={summary.time_created} /> },
          {
            label: 'Finished',
            value: summary.time_finished === null ? 'Not yet' : <RelativeTime time={summary.time_finished} />,
          },
          { label: 'Duration', value: <Duration start={summary.time_created} end={summary.time_finished} /> },
          { label: 'Purpose', value: description },
          { label: 'Author', value: author },
          {
            label: 'Run id',
            value: (
              <span className={classes.id}>
                <span className="air-mono">{id}</span>
                <CopyButton value={id} label="Copy run id" />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}
