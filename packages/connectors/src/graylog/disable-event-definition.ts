import { scheduleInput, scheduleOutput, setEnabled } from './definition-schedule.ts';
import { graylogAction } from './graylog-action.ts';

export const disableEventDefinition = graylogAction({
  verb: 'disable_event_definition',
  friendly_name: 'Disable event definition',
  description: 'Stops Graylog from evaluating an event definition, until it is enabled again.',
  effect: 'changes',
  idempotent: true,
  input: scheduleInput,
  required: ['event_definition_title'],
  output: scheduleOutput,
  run: (context) => setEnabled(context, false),
});
