import { graphAction, userFacts, userOutput } from './graph-action.ts';
import { getUser, inputUser, userInput } from './graph-client.ts';

export const getUserAction = graphAction({
  verb: 'get_user',
  friendly_name: 'Get user',
  description: 'Looks a person up in Entra ID.',
  effect: 'reads',
  idempotent: true,
  input: { user: userInput },
  required: ['user'],
  output: userOutput,
  run: async (context) => userFacts(await getUser(context, inputUser(context))),
});
