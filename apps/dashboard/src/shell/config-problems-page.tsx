import classes from './message-page.module.css';
import { MessagePage } from './message-page.tsx';

/** The one page shown when the dashboard cannot start: every problem at once. */
export function ConfigProblemsPage({ problems }: { problems: readonly string[] }) {
  return (
    <MessagePage title="The dashboard cannot start" section="Configuration">
      <p>
        {problems.length === 1 ? 'There is a problem' : `There are ${problems.length} problems`} with the configuration
        this server gives out at /config.json:
      </p>
      <ul className={classes.problems}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
      <p>Correct it on the server, then reload this page.</p>
    </MessagePage>
  );
}
