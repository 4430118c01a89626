import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { idSchema, limitSchema, tenantParamsSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineRoutes } from '../route.ts';
import { notificationListSchema, webhookSecretSchema } from './schema.ts';

const path = '/api/tenants/{tenant}/notifications';
const access = { kind: 'tenant', ...requirements.signedIn } as const;

export const notificationRoutes = defineRoutes({
  'notifications.list': {
    method: 'GET',
    path,
    summary: "The caller's own notifications in this tenant, newest first",
    access,
    params: tenantParamsSchema,
    query: z.strictObject({ limit: limitSchema(limits.listDefault) }),
    response: notificationListSchema,
  },
  'notifications.read': {
    method: 'POST',
    path: `${path}/read`,
    summary: 'Mark notifications as read; without ids all of them',
    access,
    params: tenantParamsSchema,
    body: z.strictObject({ ids: z.array(idSchema).max(limits.listMax).optional() }),
    status: 204,
    response: 'empty',
  },
  'notifications.webhook-secret': {
    method: 'POST',
    path: '/me/notification_webhook/secret',
    summary: "Make a new secret that signs the caller's webhooks; shown this once, the one before stops counting",
    access: { kind: 'signed_in' },
    status: 201,
    response: webhookSecretSchema,
  },
});
