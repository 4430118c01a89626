import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  apiKeyCreatedSchema,
  apiKeyCreateSchema,
  apiKeySchema,
  currentUserSchema,
  currentUserUpdateSchema,
  homeLayoutInputSchema,
  homeLayoutSchema,
} from './schema.ts';

export const meRoutes = defineRoutes({
  'me.get': {
    method: 'GET',
    path: '/me',
    summary: 'The signed-in user with tenants, roles and plans',
    access: { kind: 'signed_in' },
    response: currentUserSchema,
  },
  'me.update': {
    method: 'PATCH',
    path: '/me',
    summary: 'Change the own profile',
    access: { kind: 'signed_in' },
    body: currentUserUpdateSchema,
    response: currentUserSchema,
  },
  'me.delete': {
    method: 'DELETE',
    path: '/me',
    summary: 'Delete the own account',
    access: { kind: 'signed_in' },
    status: 204,
    response: 'empty',
    confirm: true,
    errors: ['CONFIRMATION_WRONG', 'LAST_ADMIN', 'RATE_LIMITED'],
  },
  'home-layout.get': {
    method: 'GET',
    path: '/me/home_layout',
    summary: 'Widgets of the own home page',
    access: { kind: 'signed_in' },
    response: homeLayoutSchema,
  },
  'home-layout.save': {
    method: 'PUT',
    path: '/me/home_layout',
    summary: 'Save the widgets of the own home page; the last to save wins',
    access: { kind: 'signed_in' },
    body: homeLayoutInputSchema,
    response: homeLayoutSchema,
  },
  'api-keys.list': {
    method: 'GET',
    path: '/me/api_keys',
    summary: 'API keys of the signed-in user',
    access: { kind: 'signed_in' },
    response: z.array(apiKeySchema),
  },
  'api-keys.create': {
    method: 'POST',
    path: '/me/api_keys',
    summary: 'Create an API key; the answer shows it once',
    access: { kind: 'signed_in' },
    body: apiKeyCreateSchema,
    status: 201,
    response: apiKeyCreatedSchema,
    errors: ['TENANT_FORBIDDEN', 'ROLE_TOO_LOW', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'api-keys.revoke': {
    method: 'DELETE',
    path: '/me/api_keys/{id}',
    summary: 'Revoke an API key',
    access: { kind: 'signed_in' },
    params: z.strictObject({ id: idSchema }),
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND'],
  },
});
