import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  tenantUserSchema,
  userInviteSchema,
  userListQuerySchema,
  usernameQuerySchema,
  userRoleSchema,
  userUpdateSchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/users';
const admin = { kind: 'tenant', ...requirements.tenantSettings } as const;

export const userRoutes = defineRoutes({
  'users.list': {
    method: 'GET',
    path,
    summary: 'Users of the tenant; show_all adds disabled ones',
    access: { kind: 'tenant', ...requirements.people },
    params: tenantParamsSchema,
    query: userListQuerySchema,
    response: z.array(tenantUserSchema),
  },
  'users.invite': {
    method: 'PUT',
    path,
    summary: 'Invite a user by mail; for a user who is still invited, sends a new ticket',
    access: admin,
    params: tenantParamsSchema,
    body: userInviteSchema,
    response: tenantUserSchema,
    errors: ['EMAIL_TAKEN', 'RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'users.update': {
    method: 'PATCH',
    path,
    summary: 'Rename, disable or enable a user',
    access: admin,
    params: tenantParamsSchema,
    body: userUpdateSchema,
    response: tenantUserSchema,
    errors: ['NOT_FOUND', 'LAST_ADMIN', 'CONFLICT'],
  },
  'users.set-role': {
    method: 'PUT',
    path: `${path}/user_role`,
    summary: 'Change the role of a user',
    access: admin,
    params: tenantParamsSchema,
    body: userRoleSchema,
    response: tenantUserSchema,
    confirm: true,
    errors: ['NOT_FOUND', 'LAST_ADMIN', 'CONFLICT'],
  },
  'users.remove': {
    method: 'DELETE',
    path,
    summary: 'Remove a user from the tenant',
    access: admin,
    params: tenantParamsSchema,
    query: usernameQuerySchema,
    status: 204,
    response: 'empty',
    confirm: true,
    errors: ['NOT_FOUND', 'LAST_ADMIN', 'CONFLICT'],
  },
  'users.reset-password': {
    method: 'POST',
    path: `${path}/admin_password_reset`,
    summary: 'End the sessions of a user and ask for a new password by mail',
    access: admin,
    params: tenantParamsSchema,
    query: usernameQuerySchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  },
});
