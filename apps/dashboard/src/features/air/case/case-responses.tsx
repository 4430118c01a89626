import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { IconBolt, IconRoute } from '@tabler/icons-react';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import classes from './case.module.css';
import { RunLink } from './run-link.tsx';

/** What was started in answer to the case, and how it stands. */
export function CaseResponses({ of }: { of: CaseDetail }) {
  return (
    <Panel title={t('Responses')} flush={of.alert_responses.length > 0}>
      {of.alert_responses.length === 0 ? (
        <span className={classes.faint}>{t('Nothing was started for this case.')}</span>
      ) : (
        <ul className={classes.rows}>
          {of.alert_responses.map((response) => (
            <li key={response.workflow_instance_id} className={classes.rowItem}>
              {response.response_type === 'playbook' ? (
                <IconRoute size={16} aria-label={t('Playbook')} />
              ) : (
                <IconBolt size={16} aria-label={t('Action')} />
              )}
              <span className={classes.rowName}>
                <RunLink of={of} runId={response.workflow_instance_id}>
                  {response.response_name}
                </RunLink>
              </span>
              <RunStatusBadge status={response.status} variant="plain" />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
