import { type Requirement, requirements } from './requirements.ts';

/** Reads of the screens of log management, which every member may enter (spec §6, any signed-in user). */
const readsOfEverybody: ReadonlySet<string> = new Set([
  'graylog.get_event_definitions',
  'graylog.get_triggered_alerts',
]);

/** What running an action and waiting for its output asks of the caller; the route itself lets every member in. */
export function requirementOfAction(actionName: string): Requirement {
  return readsOfEverybody.has(actionName) ? requirements.signedIn : requirements.actions;
}
