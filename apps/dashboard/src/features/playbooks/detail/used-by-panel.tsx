import type { PlaybookUse } from '@airdeck/contracts/playbooks/schema';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './detail.module.css';

/** What starts a playbook besides people. */
export function UsedByPanel({ id }: { id: string }) {
  const use = useQuery(playbookQueries.usedBy(useTenantApi(), id));
  if (use.data !== undefined) return <Uses use={use.data} />;
  if (use.isError) {
    return (
      <Panel>
        <ErrorState error={use.error} onRetry={() => void use.refetch()} retrying={use.isFetching} />
      </Panel>
    );
  }
  return (
    <Loading label={t('Loading what uses it')}>
      <TextSkeleton lines={5} />
    </Loading>
  );
}

function Uses({ use: { policies, automations, playbooks } }: { use: PlaybookUse }) {
  if (policies.length + automations.length + playbooks.length === 0) {
    return (
      <Panel>
        <EmptyState title={t('Nothing starts it by itself')}>
          {t(
            'No policy or automation answers with this playbook, and no other playbook runs it. People can run it by hand.',
          )}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <div className={classes.stack}>
      {policies.length === 0 ? null : (
        <Panel title={t('Policies that answer with it')} flush>
          <ul className={classes.uses}>
            {policies.map(({ rule_id, rule_name, response_name, enabled }) => (
              <li key={`${rule_id} ${response_name}`} className={classes.use}>
                <span className={classes.strong}>{rule_name}</span>
                <span className={classes.faint}>
                  {enabled ? response_name : t('{name} · switched off', { name: response_name })}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {automations.length === 0 ? null : (
        <Panel title={t('Automations that start it')} flush>
          <ul className={classes.uses}>
            {automations.map(({ id, name, response_name, enabled }) => (
              <li key={`${id} ${response_name}`} className={classes.use}>
                <Link to="/graylog/automation-settings/edit/$id" params={{ id }}>
                  {name}
                </Link>
                <span className={classes.faint}>
                  {enabled ? response_name : t('{name} · switched off', { name: response_name })}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {playbooks.length === 0 ? null : (
        <Panel title={t('Playbooks that run it')} flush>
          <ul className={classes.uses}>
            {playbooks.map((playbook) => (
              <li key={`${playbook.id} ${playbook.action_id}`} className={classes.use}>
                <Link to="/playbooks/$id" params={{ id: playbook.id }}>
                  {playbook.name}
                </Link>
                <span className={classes.faint}>
                  {tx('in the step {step}', { step: <span className="air-mono">{playbook.action_id}</span> })}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}
