import actions from './actions.json';
import activity from './activity.json';
import components from './components.json';
import failures from './failures.json';
import settings from './settings.json';
import shared from './shared.json';
import shell from './shell.json';

/** Of everything behind the sign-in. */
export const texts: Readonly<Record<string, string>> = {
  ...actions,
  ...activity,
  ...components,
  ...failures,
  ...settings,
  ...shared,
  ...shell,
};
