import { oktaAction, userFacts, userOutput } from './okta-action.ts';
import { getUser, inputUser, userInput } from './okta-client.ts';

export const getUserAction = oktaAction({
  verb: 'get_user',
  friendly_name: 'Get user',
  description: 'Looks a person up by login or id.',
  effect: 'reads',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: userOutput,
  run: async (context) => userFacts(await getUser(context, inputUser(context))),
});
