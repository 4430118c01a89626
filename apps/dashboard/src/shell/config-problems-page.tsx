import { t } from '../language/translate.ts';
import classes from './message-page.module.css';
import { MessagePage } from './message-page.tsx';

/** The one page shown when the dashboard cannot start: every problem at once. */
export function ConfigProblemsPage({ problems }: { problems: readonly string[] }) {
  return (
    <MessagePage title={t('The dashboard cannot start')} section={t('Configuration')}>
      <p>
        {problems.length === 1
          ? t('There is a problem with the configuration this server gives out at /config.json:')
          : t('There are {count} problems with the configuration this server gives out at /config.json:', {
              count: problems.length,
            })}
      </p>
      <ul className={classes.problems}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      <p>{t('Correct it on the server, then reload this page.')}</p>
    </MessagePage>
  );
}
