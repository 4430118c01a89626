import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../components/status-badge.tsx';
import { connectorStateLooks } from '../../components/status-table.ts';
import { t } from '../../language/translate.ts';
import { useAccess } from '../../session/access.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './air-overview.module.css';

const states = ['active', 'error', 'paused', 'pending'] as const;

/** Whether what automation acts through works: first what does not. */
export function ConnectorHealth({ overview: { connectors } }: { overview: AirOverview }) {
  // The page of one connector is for those who may change it (spec §6).
  const { allowed } = useAccess('integrations');
  const { counts, troubled } = connectors;
  const total = states.reduce((sum, state) => sum + counts[state], 0);
  return (
    <Panel
      title={t('Connectors')}
      aside={
        <Link className={`${classes.link} ${classes.asideLink}`} to="/integrations">
          {t('All integrations')}
        </Link>
      }
    >
      {total === 0 ? (
        <p className={classes.nothing}>{t('No system is connected yet.')}</p>
      ) : (
        <>
          <p className={classes.states}>
            {states
              .filter((state) => counts[state] > 0)
              .map((state) => (
                <Link
                  key={state}
                  className={`${classes.plain} ${classes.state}`}
                  to="/integrations"
                  search={{ filters: { state: [state] } }}
                >
                  {counts[state]} <StatusBadge look={connectorStateLooks[state]} variant="plain" />
                </Link>
              ))}
          </p>
          {troubled.length === 0 ? (
            <p className={classes.nothing}>{t('Everything that is connected works.')}</p>
          ) : (
            <ul className={classes.list}>
              {troubled.map(({ id, name, state }) => (
                <li key={id}>
                  {allowed ? (
                    <Link className={classes.plain} to="/integrations/$id" params={{ id }}>
                      {name}
                    </Link>
                  ) : (
                    <Link className={classes.plain} to="/integrations" search={{ q: name }}>
                      {name}
                    </Link>
                  )}
                  <StatusBadge look={connectorStateLooks[state]} variant="plain" />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Panel>
  );
}
