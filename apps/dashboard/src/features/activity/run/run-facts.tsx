import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { Link } from '@tanstack/react-router';
import { Person } from '../../../components/person.tsx';
import { t } from '../../../language/translate.ts';
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
    <Panel title={t('Facts')}>
      <KeyFacts
        facts={[
          ...(summary.playbook_id === null || !allowed
            ? []
            : [
                {
                  label: t('Playbook'),
                  value: (
                    <Link to="/playbooks/$id" params={{ id: summary.playbook_id }}>
                      {summary.workflow_name}
                    </Link>
                  ),
                },
              ]),
          { label: t('Purpose'), value: description },
          { label: t('Author'), value: author === '' ? '' : <Person username={author} /> },
          ...(trigger.user_tenant_name === null ? [] : [{ label: t('Started from'), value: trigger.user_tenant_name }]),
          {
            label: t('Finished'),
            value: summary.time_finished === null ? t('Not yet') : <RelativeTime time={summary.time_finished} />,
          },
          {
            label: t('Run id'),
            value: (
              <span className={classes.id}>
                <span className="air-mono">{id}</span>
                <CopyButton value={id} label={t('Copy run id')} />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}
