import { alertFacts, alertIdInput, alertOutput, inputAlertId, readAlert } from './alerts.ts';
import { falconAction } from './falcon-action.ts';

export const getAlert = falconAction({
  verb: 'get_alert',
  friendly_name: 'Get alert',
  description: 'Reads one alert.',
  effect: 'reads',
  idempotent: true,
  input: { alert_id: alertIdInput },
  required: ['alert_id'],
  output: { ...alertOutput, raw: { type: 'object', description: 'The alert as Falcon has it.' } },

  async run(context) {
    const alert = await readAlert(context, inputAlertId(context));
    return { ...alertFacts(alert), raw: alert };
  },
});
