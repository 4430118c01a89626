import { defineRoutes } from '../route.ts';

export const clerkRoutes = defineRoutes({
  'clerk.webhook': {
    method: 'POST',
    path: '/external_providers/clerk/webhook',
    summary: 'Notices of Clerk about its users; proved by the signature over the body',
    access: { kind: 'public' },
    body: 'raw',
    takes: ['application/json'],
    status: 204,
    response: 'empty',
    errors: ['TOKEN_INVALID', 'ROUTE_NOT_FOUND', 'BODY_TOO_LARGE', 'BODY_NOT_DECODABLE'],
  },
});
