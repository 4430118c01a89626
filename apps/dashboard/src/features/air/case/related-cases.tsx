import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { Link } from '@tanstack/react-router';
import { CaseStatusBadge } from '../../../components/status-badge.tsx';
import { severityLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './case.module.css';

/** Other cases about the same address, user or the like. */
export function RelatedCases({ of }: { of: CaseDetail }) {
  if (of.related_cases.length === 0) return null;
  return (
    <Panel title={t('Related cases ({count})', { count: of.related_cases.length })} flush>
      <ul className={classes.rows}>
        {of.related_cases.map((related) => {
          const { icon: Icon, color, word } = severityLooks[related.alert_severity];
          return (
            <li key={related.id} className={classes.related}>
              <Icon size={16} color={color} aria-label={word} className={classes.relatedIcon} />
              <div className={classes.rowName}>
                <Link to="/air/case-management/$id" params={{ id: related.id }}>
                  {related.reference} {related.alert_name}
                </Link>
                <div className={classes.relatedFacts}>
                  <CaseStatusBadge status={related.alert_status} variant="plain" />
                  <RelativeTime time={related.time_opened} />
                </div>
              </div>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
