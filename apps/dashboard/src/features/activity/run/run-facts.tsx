import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { Link } from '@tanstack/react-router';
import { Person } from '../../../components/person.tsx';
import { useAccess } from '../../../session/access.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './run.module.css';

/** What identifies a run, beside its story. */
export function RunFacts({ run }: { run: PlaybookRun }) {
  const { summary } = run;
  const { allowed } = useAccess('playbooks');
  const { trigger_info: trigger, workflow_uuid: id } = summary;
  const { description, author } = run.playbook.definition.metadata;
  return (
    <Panel title="Facts">
      <KeyFacts
        facts={[
          ...(summary.playbook_id === null || !allowed
            ? []
            : [
                {
                  label: 'Playbook',
                  value: (
                    <Link to="/playbooks/$id" params={{ id: summary.playbook_id }}>
                      {summary.workflow_name}
                    </Link>
                  ),
                },
              ]),
          { label: 'Purpose', value: description },
          { label: 'Author', value: author === '' ? '' : <Person username={author} /> },
          ...(trigger.user_tenant_name === null ? [] : [{ label: 'Started from', value: trigger.user_tenant_name }]),
          {
            label: 'Finished',
            value: summary.time_finished === null ? 'Not yet' : <RelativeTime time={summary.time_finished} />,
          },
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
