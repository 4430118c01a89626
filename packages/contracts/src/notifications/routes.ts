import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { idSchema, limitSchema, tenantParamsSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { defineRoutes } from '../route.ts';
import {
  channelTestSchema,
  notificationListSchema,
  notificationsReadSchema,
  slackAddressSchema,
  slackSettingSchema,
  webhookSecretSchema,
} from './schema.ts';

const path = '/api/tenants/{tenant}/notifications';
const access = { kind: 'tenant', ...requirements.signedIn } as const;

export const notificationRoutes = defineRoutes({
  'notifications.list': {
    method: 'GET',
    path,
    summary: "The caller's own notifications in this tenant, newest first",
    access,
    params: tenantParamsSchema,
    query: z.strictObject({ limit: limitSchema(limits.listDefault), cursor: idSchema.optional() }),
    response: notificationListSchema,
  },
  'notifications.read': {
    method: 'POST',
    path: `${path}/read`,
    summary: 'Mark notifications as read: those named, those up to one, or all of them',
    access,
    params: tenantParamsSchema,
    body: notificationsReadSchema,
    status: 204,
    response: 'empty',
  },
  'notifications.webhook-secret': {
    method: 'POST',
    path: '/me/notification_webhook/secret',
    summary: "Make a new secret that signs the caller's webhooks; shown this once, the one before stops counting",
    access: { kind: 'signed_in' },
    errors: ['IDEMPOTENCY_KEY_REUSED'],
    status: 201,
    response: webhookSecretSchema,
  },
  'notifications.slack': {
    method: 'GET',
    path: '/me/notification_slack',
    summary:
      "Whether the caller's notifications can go to Slack, the address itself never shown; and what their channels refused last",
    access: { kind: 'signed_in' },
    response: slackSettingSchema,
  },
  'notifications.set-slack': {
    method: 'PUT',
    path: '/me/notification_slack',
    summary: "Set the incoming webhook of Slack that the caller's notifications go to",
    access: { kind: 'signed_in' },
    body: slackAddressSchema,
    response: slackSettingSchema,
    errors: ['ROLE_TOO_LOW'],
  },
  'notifications.remove-slack': {
    method: 'DELETE',
    path: '/me/notification_slack',
    summary: "Forget the Slack address of the caller's notifications",
    access: { kind: 'signed_in' },
    status: 204,
    response: 'empty',
    errors: ['ROLE_TOO_LOW'],
  },
  'notifications.test': {
    method: 'POST',
    path: '/me/notification_test',
    summary: "Send a test to the caller's own webhook or Slack address and say what came of it",
    access: { kind: 'signed_in' },
    acts: true,
    body: z.strictObject({ channel: z.enum(['webhook', 'slack']) }),
    response: channelTestSchema,
    errors: ['ROLE_TOO_LOW', 'RATE_LIMITED'],
  },
});
