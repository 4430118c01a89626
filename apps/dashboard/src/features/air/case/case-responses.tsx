import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { IconBolt, IconRoute } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import classes from './case.module.css';
import { RunLink } from './run-link.tsx';

/** What was started in answer to the case, and how it stands. */
export function CaseResponses({ of }: { of: CaseDetail }) {
  return (
    <Panel title="Responses" flush={of.alert_responses.length > 0}>
      {of.alert_responses.length === 0 ? (
        <span className={classes.faint}>Nothing was started for this case.</span>
      ) : (
        <ul className={classes.rows}>
          {of.alert_responses.map((response) => (
            <li key={response.workflow_instance_id} className={classes.rowItem}>
              {response.response_type === 'playbook' ? (
                <IconRoute size={16} aria-label="Playbook" />
              ) : (
                <IconBolt size={16} aria-label="Action" />
              )}
              <span className={classes.rowName}>
                <ResponseLink of={of} response={response} />
              </span>
              <RunStatusBadge status={response.status} variant="plain" />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type ResponseProps = { of: CaseDetail; response: CaseDetail['alert_responses'][number] };

/** A playbook has a page of its own; an action opens in the list of actions once the story knows which one it was. */
function ResponseLink({ of, response }: ResponseProps) {
  const { response_name: name, response_type: type, workflow_instance_id: runId } = response;
  if (type === 'playbook') return <RunLink runId={runId}>{name}</RunLink>;
  const finished = of.activity.find(({ kind, data }) => kind === 'action_finished' && data.run_id === runId);
  const action = finished?.data.action_uuid;
  return (
    <Link to="/activity/actions" search={typeof action === 'string' ? { action } : {}}>
      {name}
    </Link>
  );
}
