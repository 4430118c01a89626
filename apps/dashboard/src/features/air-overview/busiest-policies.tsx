import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { Link } from '@tanstack/react-router';
import { SeverityBadge } from '../../components/status-badge.tsx';
import { severityLooks } from '../../components/status-table.ts';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './air-overview.module.css';
import { CasesCount } from './cases-link.tsx';

/** The policies that opened most cases: where noise comes from, and where automation would pay. */
export function BusiestPolicies({ overview }: { overview: AirOverview }) {
  const { policies, start_time: startTime, end_time: endTime } = overview;
  const most = Math.max(1, ...policies.map(({ cases }) => cases));
  return (
    <Panel title={t('Busiest policies')} flush>
      {policies.length === 0 ? (
        <p className={classes.nothingFlush}>{t('No policy opened a case in this period.')}</p>
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table} data-stacks>
            <thead>
              <tr>
                <th scope="col">{t('Policy')}</th>
                <th scope="col">{t('Severity')}</th>
                <th scope="col" data-align="end">
                  {t('Cases')}
                </th>
                <th scope="col" data-align="end">
                  {t('Open##cases')}
                </th>
                <th scope="col" data-align="end">
                  {t('Automated##cases')}
                </th>
                <th scope="col" data-align="end">
                  {t('False##cases')}
                </th>
              </tr>
            </thead>
            <tbody>
              {policies.map((policy) => {
                const behind = { startTime, endTime, policy: [policy.id] };
                return (
                  <tr key={policy.id}>
                    <th scope="row">
                      <Link className={classes.plain} to="/air/policy-management" search={{ policy: policy.id }}>
                        {policy.name}
                      </Link>
                      <span
                        className={classes.meter}
                        style={{
                          width: `${(100 * policy.cases) / most}%`,
                          background: severityLooks[policy.severity].color,
                        }}
                        aria-hidden
                      />
                    </th>
                    <td data-label={t('Severity')}>
                      <SeverityBadge severity={policy.severity} variant="plain" />
                    </td>
                    <td data-label={t('Cases')} data-align="end">
                      <CasesCount
                        value={policy.cases}
                        behind={behind}
                        label={(count) =>
                          plural(count, '{count} case of {name}', '{count} cases of {name}', {
                            name: policy.name,
                          })
                        }
                      />
                    </td>
                    <td data-label={t('Open##cases')} data-align="end">
                      <CasesCount
                        value={policy.open}
                        behind={{ ...behind, status: ['open', 'acknowledged'] }}
                        label={(count) =>
                          plural(count, '{count} open case of {name}', '{count} open cases of {name}', {
                            name: policy.name,
                          })
                        }
                      />
                    </td>
                    <td data-label={t('Automated##cases')} data-align="end">
                      <CasesCount
                        value={policy.answered}
                        behind={{ ...behind, figure: 'answered' }}
                        label={(count) =>
                          plural(
                            count,
                            '{count} case of {name} answered by automation',
                            '{count} cases of {name} answered by automation',
                            { name: policy.name },
                          )
                        }
                      />
                    </td>
                    <td data-label={t('False##cases')} data-align="end">
                      <CasesCount
                        value={policy.false_positives}
                        behind={{ ...behind, figure: 'false_positive' }}
                        label={(count) =>
                          plural(
                            count,
                            '{count} case of {name} closed as false',
                            '{count} cases of {name} closed as false',
                            { name: policy.name },
                          )
                        }
                      />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
