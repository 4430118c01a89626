import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import classes from './graylog.module.css';
import { NotificationBadge } from './notification-badge.tsx';
import type { DefinitionRulesState } from './use-definition-rules.ts';

/** Automations that answer the alerts of a definition. */
export function DefinitionRules({ of: { rules, error, isFetching, retry } }: { of: DefinitionRulesState }) {
  return (
    <section>
      <h3 className={classes.sectionTitle}>{t('Automations')}</h3>
      {rules === undefined ? (
        error !== null ? (
          <ErrorState error={error} onRetry={retry} retrying={isFetching} />
        ) : (
          <Loading label={t('Loading automations')}>
            <TextSkeleton lines={2} />
          </Loading>
        )
      ) : rules.length === 0 ? (
        <p className={classes.words}>{t('Nothing starts by itself when it raises an alert.')}</p>
      ) : (
        <ul className={classes.lines}>
          {rules.map(({ id, name, notification, deleting }) => (
            <li key={id} className={classes.entry}>
              <Link className={classes.link} to="/graylog/automation-settings/edit/$id" params={{ id }}>
                {name}
              </Link>
              <NotificationBadge state={notification.state} deleting={deleting} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
