import { defineRoutes } from '../route.ts';
import {
  activatedSchema,
  activateInputSchema,
  marketplaceNoticeSchema,
  marketplaceTokenQuerySchema,
  signupDetailsSchema,
} from './schema.ts';

const path = '/external_providers/azure_marketplace';

export const marketplaceRoutes = defineRoutes({
  'marketplace.details': {
    method: 'GET',
    path: `${path}/signup_details`,
    summary: 'What an Azure Marketplace purchase is for; without effect',
    access: { kind: 'identity' },
    query: marketplaceTokenQuerySchema,
    response: signupDetailsSchema,
    errors: ['MARKETPLACE_TOKEN_INVALID', 'MARKETPLACE_UNAVAILABLE', 'RATE_LIMITED'],
  },
  'marketplace.activate': {
    method: 'POST',
    path: `${path}/activate`,
    summary: 'Open the tenant of a purchase for the account that is signed in, and activate the subscription once',
    access: { kind: 'identity' },
    acts: true,
    query: marketplaceTokenQuerySchema,
    body: activateInputSchema,
    response: activatedSchema,
    errors: [
      'MARKETPLACE_TOKEN_INVALID',
      'MARKETPLACE_FOR_ANOTHER',
      'MARKETPLACE_ALREADY_LINKED',
      'CONFLICT',
      'MARKETPLACE_UNAVAILABLE',
      'RATE_LIMITED',
    ],
  },
  'marketplace.webhook': {
    method: 'POST',
    path: `${path}/webhook`,
    summary: 'Notices of the Azure Marketplace; proved by its token, checked against the operation itself',
    access: { kind: 'public' },
    body: marketplaceNoticeSchema,
    status: 200,
    response: 'empty',
    errors: ['TOKEN_INVALID', 'NOT_FOUND', 'OVERLOADED', 'MARKETPLACE_UNAVAILABLE'],
  },
});
