import { scheduleInput, scheduleOutput, setEnabled } from './definition-schedule.ts';
import { graylogAction } from './graylog-action.ts';

export const enableEventDefinition = graylogAction({
  verb: 'enable_event_definition',
  friendly_name: 'Enable event definition',
  description: 'Makes Graylog evaluate an event definition again.',
  effect: 'changes',
  idempotent: true,
  input: scheduleInput,
  required: ['event_definition_title'],
  output: scheduleOutput,
  run: (context) => setEnabled(context, true),
});
