import actions from './actions.json';
import activity from './activity.json';
import automation from './automation.json';
import cases from './cases.json';
import components from './components.json';
import failures from './failures.json';
import graylog from './graylog.json';
import home from './home.json';
import integrations from './integrations.json';
import playbooks from './playbooks.json';
import policies from './policies.json';
import reports from './reports.json';
import search from './search.json';
import server from './server.json';
import settings from './settings.json';
import shared from './shared.json';
import shell from './shell.json';

/** Of everything behind the sign-in. */
export const texts: Readonly<Record<string, string>> = {
  ...actions,
  ...activity,
  ...automation,
  ...cases,
  ...components,
  ...failures,
  ...graylog,
  ...home,
  ...integrations,
  ...playbooks,
  ...policies,
  ...reports,
  ...search,
  ...server,
  ...settings,
  ...shared,
  ...shell,
};
