import { oktaAction } from './okta-action.ts';
import { getUser, inputUser, oktaClient, userInput, userPath } from './okta-client.ts';

export const clearSessions = oktaAction({
  verb: 'clear_sessions',
  friendly_name: 'Clear sessions',
  description: 'Ends all Okta sessions of a person. Sessions that web and native applications keep themselves go on.',
  effect: 'changes',
  idempotent: true,
  input: {
    user: userInput,
    oauth_tokens: { type: 'boolean', title: 'Also revoke OpenID Connect and OAuth tokens', default: true },
    forget_devices: { type: 'boolean', title: 'Also forget remembered factors of all devices', default: false },
  },
  required: ['user'],
  output: { id: { type: 'string' }, oauth_tokens: { type: 'boolean' }, forget_devices: { type: 'boolean' } },

  async run(context) {
    const { id } = await getUser(context, inputUser(context));
    // Both are always sent: the vendor's own default for the second differs between its two engines.
    const oauthTokens = context.input.oauth_tokens !== false;
    const forgetDevices = context.input.forget_devices === true;
    await oktaClient.call(context, {
      method: 'DELETE',
      path: userPath(id, 'sessions'),
      query: { oauthTokens, forgetDevices },
      idempotent: true,
    });
    return { id, oauth_tokens: oauthTokens, forget_devices: forgetDevices };
  },
});
