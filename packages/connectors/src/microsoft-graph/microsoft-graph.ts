import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { permissionWords, probePermissions } from '../permission-probe.ts';
import { eventTypeOption, lookbackOption } from '../time-keyed-fetch.ts';
import { ALERTS } from './alerts.ts';
import { confirmCompromised } from './confirm-compromised.ts';
import { disableUser } from './disable-user.ts';
import { enableUser } from './enable-user.ts';
import { fetchAlerts } from './fetch-alerts.ts';
import { getAlert } from './get-alert.ts';
import { getUserAction } from './get-user.ts';
import { GRAPH_OWNER } from './graph-action.ts';
import { clouds, fetchValues, hasAlerts } from './graph-client.ts';
import { listRiskyUsers } from './list-risky-users.ts';
import { listSignIns } from './list-sign-ins.ts';
import { revokeSignInSessions } from './revoke-sign-in-sessions.ts';
import { updateAlert } from './update-alert.ts';

export const microsoftGraph: ConnectorDefinition = {
  ...GRAPH_OWNER,
  version: '1',
  name: 'Microsoft Graph',
  description: 'Alerts of Microsoft Defender and accounts of Entra ID: sign-ins, risk, sessions, disabling.',
  visible: true,
  category: 'identity',
  config_schema: {
    type: 'object',
    title: 'Microsoft Graph',
    required: ['tenant_id', 'client_id', 'client_secret'],
    additionalProperties: false,
    properties: {
      tenant_id: {
        type: 'string',
        title: 'Directory (tenant) id',
        description: 'Of your Entra ID tenant, a GUID; its domain works too.',
        pattern: '^[A-Za-z0-9][A-Za-z0-9.-]{2,254}$',
        maxLength: 255,
        account: true,
      },
      client_id: { type: 'string', title: 'Application (client) id', minLength: 1, maxLength: 100 },
      client_secret: {
        type: 'string',
        title: 'Client secret',
        description: 'The value of the secret, not its id.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
      cloud: {
        type: 'string',
        title: 'Cloud',
        enum: Object.keys(clouds),
        value_names: {
          global: 'Global',
          us_government: 'US Government',
          us_defense: 'US Department of Defense',
          china: 'China',
        },
        default: 'global',
        account: true,
      },
      base_url: {
        type: 'string',
        title: 'Other address',
        description: 'Leave empty. For a stand-in that serves both sign-in and Graph in the place of Microsoft.',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
    },
  },
  event_options_schema: {
    type: 'object',
    title: 'Alerts',
    additionalProperties: false,
    properties: {
      lookback_hours: lookbackOption,
      event_type: eventTypeOption('alert'),
      service_sources: {
        type: 'array',
        title: 'Sources',
        description: 'Such as microsoftDefenderForEndpoint. Empty: all.',
        items: { type: 'string', pattern: '^[A-Za-z0-9]+$', maxLength: 60 },
        maxItems: 20,
        default: [],
      },
    },
  },
  documentation: {
    url: 'https://learn.microsoft.com/graph/api/overview',
    setup: [
      'In the Entra admin center open App registrations and make a new registration.',
      'Under API permissions add the application permissions below, then grant admin consent.',
      'Under Certificates and secrets make a client secret and copy its value; it is shown once.',
    ],
    permissions: [
      'SecurityAlert.Read.All, or SecurityAlert.ReadWrite.All to update alerts',
      'User.Read.All',
      'User.EnableDisableAccount.All',
      'User.RevokeSessions.All',
      'AuditLog.Read.All',
      'IdentityRiskyUser.ReadWrite.All',
    ],
    notes: [
      'An alert that changes is fetched again, as another record.',
      'The cloud of China has no alerts: none can be fetched, read or updated there.',
      'Sessions of guests, whose user principal names hold #EXT#, cannot be revoked: they sign in at another organization.',
      'Sign-ins and risky users need licenses of Entra ID P1 or P2.',
    ],
  },
  unconfirmed: [
    'The addresses of users, sign-ins and risky users, and the permissions they need, are not part of the published types at hand.',
    'The names of errors (Authorization_RequestDenied, InvalidAuthenticationToken, Request_ResourceNotFound) are common knowledge.',
    'The list of alerts gives no links to next pages and refuses to skip more than 500: the time filter is moved on instead.',
    'Confirming a user as compromised again is taken for harmless.',
    'The addresses of the national clouds.',
  ],
  capabilities: ['test_connection', 'fetch_events', 'actions'],
  actions: [
    confirmCompromised,
    disableUser,
    enableUser,
    getAlert,
    getUserAction,
    listRiskyUsers,
    listSignIns,
    revokeSignInSessions,
    updateAlert,
  ],
  fetchEvents: fetchAlerts,

  async testConnection(context) {
    const alerts = () => fetchValues(context, { path: ALERTS, query: { $top: 1 } });
    const users = () => fetchValues(context, { path: '/v1.0/users', query: { $top: 1, $select: 'id' } });
    const allowed = await (hasAlerts(context.config)
      ? probePermissions({ alerts, users })
      : probePermissions({ users }));
    return {
      message: `Connected. The application may read ${permissionWords(allowed)}.`,
      metadata: { tenant_id: context.config.tenant_id ?? null, ...allowed },
    };
  },
};
