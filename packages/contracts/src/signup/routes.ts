import { defineRoutes } from '../route.ts';
import { inviteAcceptedSchema, inviteAcceptSchema } from './schema.ts';

export const signupRoutes = defineRoutes({
  'signup.invite': {
    method: 'POST',
    path: '/signup/invite',
    summary: 'Accept an invitation for the account that is signed in',
    access: { kind: 'identity' },
    body: inviteAcceptSchema,
    response: inviteAcceptedSchema,
    errors: ['TICKET_INVALID', 'TICKET_FOR_ANOTHER'],
  },
});
