import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { createTokenSource } from '@airdeck/connector-kit/oauth-token';
import { callOfLink, collectPages, type Paged } from '@airdeck/connector-kit/paging';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { StatedFailure, VendorAnswer, VendorCall } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import type { VendorErrorCode } from '@airdeck/connector-kit/vendor-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textOf } from '../answer-fields.ts';
import { baseUrl, configText, configTextOr } from '../config-values.ts';
import { inputText } from '../vendor-action.ts';

export const GRAPH = 'Microsoft Graph';

/** Where each of Microsoft's clouds signs applications in and serves Graph. */
export const clouds = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  us_government: { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  us_defense: { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: { login: 'https://login.partner.microsoftonline.cn', graph: 'https://microsoftgraph.chinacloudapi.cn' },
} as const;

/** Codes that say more than the HTTP status they come with. */
const codes: Readonly<Record<string, VendorErrorCode>> = {
  Authorization_RequestDenied: 'VENDOR_PERMISSION_MISSING',
  InvalidAuthenticationToken: 'VENDOR_CREDENTIALS_REFUSED',
  Request_ResourceNotFound: 'VENDOR_NOT_FOUND',
  ResourceNotFound: 'VENDOR_NOT_FOUND',
  TooManyRequests: 'VENDOR_RATE_LIMITED',
  generalException: 'VENDOR_UNAVAILABLE',
  serviceNotAvailable: 'VENDOR_UNAVAILABLE',
};

const tokens = createTokenSource({
  vendor: 'Microsoft Entra ID',
  tokenUrl: (config) => `${addresses(config).login}/${segment(configText(config, 'tenant_id'))}/oauth2/v2.0/token`,
  form: ({ config }) => ({
    client_id: configText(config, 'client_id'),
    client_secret: configText(config, 'client_secret'),
    // The audience is Graph's own address; an address in between has none of its own.
    scope: `${clouds[cloudOf(config)].graph}/.default`,
    grant_type: 'client_credentials',
  }),
});

export const graphClient = createVendorClient({
  vendor: GRAPH,
  baseUrl: (config) => addresses(config).graph,
  authorize: tokens.authorize,
  renew: tokens.renew,
  failure: graphFailure,
});

/** One page: its records, and the vendor's link to the next. */
export async function fetchValues(
  context: ConnectorContext,
  call: VendorCall,
): Promise<{ items: readonly JsonObject[]; link: string | undefined }> {
  const body = await graphClient.object(context, call);
  if (!Array.isArray(body.value)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAPH} answered without a list.`);
  }
  return { items: objectsOf(body.value), link: textOf(body, '@odata.nextLink') ?? undefined };
}

/** The call a link stands for. Throws `VENDOR_ANSWER_UNREADABLE` when it leads away from Graph: the token goes along. */
export function followLink(context: ConnectorContext, target: string): VendorCall {
  return callOfLink({ vendor: GRAPH, base: addresses(context.config).graph, target });
}

/** Records of all pages up to `maxItems`. */
export function collectValues(
  context: ConnectorContext,
  { first, maxItems }: { first: VendorCall; maxItems: number },
): Promise<Paged<JsonObject, VendorCall>> {
  return collectPages({
    vendor: GRAPH,
    first,
    maxItems,
    fetch: async (call) => {
      const { items, link } = await fetchValues(context, call);
      return { items, next: link === undefined ? undefined : followLink(context, link) };
    },
  });
}

/** A text of an OData filter, between quotes; a quote inside is doubled, as the standard has it. */
export function odataText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

const userFields =
  'id,userPrincipalName,displayName,mail,department,jobTitle,accountEnabled,createdDateTime,lastPasswordChangeDateTime';

/** A user by object id or user principal name. Throws `VENDOR_NOT_FOUND`. */
export async function getUser(context: ConnectorContext, idOrName: string): Promise<JsonObject & { id: string }> {
  const path = `/v1.0/users/${segment(idOrName)}`;
  const user = await graphClient.object(context, { path, query: { $select: userFields } });
  const id = textOf(user, 'id');
  if (id !== null && id !== '') return { ...user, id };
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAPH} answered without the id of the user.`);
}

export function inputUser(context: ActionContext): string {
  return inputText(context, 'user', { max: 256 });
}

/** Input property of every action on one person. */
export const userInput: JsonObject = {
  type: 'string',
  title: 'User',
  description: 'User principal name, such as ada.abend@example.com, or object id.',
  minLength: 1,
  maxLength: 256,
};

function addresses(config: JsonObject): { login: string; graph: string } {
  const own = configTextOr(config, 'base_url', '');
  return own === '' ? clouds[cloudOf(config)] : { login: baseUrl(config), graph: baseUrl(config) };
}

/** The cloud in China has no alerts: asking for them is an error there. */
export function hasAlerts(config: JsonObject): boolean {
  return cloudOf(config) !== 'china';
}

function cloudOf(config: JsonObject): keyof typeof clouds {
  const name = configTextOr(config, 'cloud', 'global');
  if (Object.hasOwn(clouds, name)) return name as keyof typeof clouds;
  throw new VendorError('CONNECTOR_CONFIG_INVALID', 'The setting "cloud" of this connector is unknown.');
}

function graphFailure({ body }: VendorAnswer): StatedFailure | undefined {
  const error = objectOf(objectOf(body).error);
  const name = textOf(error, 'code');
  if (name === null) return undefined;
  const code = Object.hasOwn(codes, name) ? codes[name] : undefined;
  return { detail: `${textOf(error, 'message') ?? ''} (${name})`.trim(), ...(code === undefined ? {} : { code }) };
}
