import { alertFacts, alertIdInput, alertOutput, alertPath, readAlert } from './alerts.ts';
import { graphAction } from './graph-action.ts';

export const getAlert = graphAction({
  verb: 'get_alert',
  friendly_name: 'Get alert',
  description: 'Reads one alert of Microsoft Defender, Entra ID Protection or another of their sources.',
  effect: 'reads',
  idempotent: true,
  input: { alert_id: alertIdInput },
  required: ['alert_id'],
  output: alertOutput,
  run: async (context) => alertFacts(await readAlert(context, alertPath(context))),
});
