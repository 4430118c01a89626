import type { ConnectorContext, ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { compileHttpActions } from '@airdeck/connector-kit/http-action';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { sentenceOf } from '@airdeck/connector-kit/vendor-answer';
import type { VendorClient } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { OpenapiIntegration } from './openapi-integration.ts';
import type { CredentialPlan, SecurityScheme } from './openapi-security.ts';

/**
 * The connector of an imported integration, ready for a registry of the tenant it belongs to.
 */
export function compileIntegration(definitionId: string, integration: OpenapiIntegration): ConnectorDefinition {
  const owner = {
    definition_id: definitionId,
    vendor: integration.name,
    product: integration.name,
    config_schema: configSchema(integration),
  };
  const client = createIntegrationClient(integration);
  return {
    ...owner,
    version: integration.api_version || '1',
    name: integration.name,
    description: integration.description,
    visible: true,
    category: 'generic',
    documentation: {
      notes: [
        'Imported from a description in OpenAPI; what it says was not checked against the service.',
        'One call ends after 30 seconds, also where a step of a playbook has a longer time limit.',
      ],
    },
    capabilities: ['actions'],
    configProblems: (config) => headerProblems(config, headerFields(integration.credentials)),
    // Checked when they were made, off the event loop: a hundred actions take longer to compile than it may stand still.
    actions: compileHttpActions({ owner, client, isChecked: true }, integration.actions),
  };
}

function configSchema({ name, base_url, credentials }: OpenapiIntegration): JsonObject {
  const [only, ...others] = credentials.alternatives;
  const isChoice = others.length > 0;
  const fields = credentials.schemes.flatMap(schemeFields);
  const needed = isChoice ? [] : fields.map(([field]) => field);
  return {
    type: 'object',
    title: name,
    required: ['base_url', ...needed],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the API',
        description: 'Credentials are sent to this address only.',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
        ...(base_url === null ? {} : { default: base_url }),
      },
      ...(isChoice && only !== undefined
        ? {
            credential: {
              type: 'string',
              title: 'Credential',
              description: 'One of them is enough.',
              enum: credentials.alternatives.map(({ id }) => id),
              value_names: namesOf(credentials),
              default: only.id,
            },
          }
        : {}),
      ...Object.fromEntries(fields),
    },
  };
}

/** Settings that go out in a header as they are. */
function headerFields({ schemes }: CredentialPlan): string[] {
  return schemes.filter((scheme) => scheme.kind !== 'basic' && isAt(scheme, 'header')).map(({ id }) => `${id}_secret`);
}

/** Labels of different schemes may be alike; then the schemes' own ids tell them apart. */
function namesOf({ alternatives }: CredentialPlan): Record<string, string> {
  const labels = alternatives.map(({ label }) => label);
  return Object.fromEntries(
    alternatives.map(({ id, label }) => [
      id,
      labels.filter((one) => one === label).length > 1 ? `${label} (${id})` : label,
    ]),
  );
}

function schemeFields(scheme: SecurityScheme): [string, JsonObject][] {
  const { id, label } = scheme;
  const description = scheme.description === '' ? 'As the service gave it to you.' : scheme.description;
  const secret = { type: 'string', description, minLength: 1, maxLength: 8000, secret: true };
  if (scheme.kind !== 'basic') return [[`${id}_secret`, { ...secret, title: label }]];
  return [
    [`${id}_username`, { type: 'string', title: 'User name', maxLength: 300 }],
    [`${id}_secret`, { ...secret, title: 'Password' }],
  ];
}

function createIntegrationClient({ name, credentials }: OpenapiIntegration): VendorClient {
  return createVendorClient({
    vendor: name,
    baseUrl: ({ base_url: text }) => (typeof text === 'string' ? text.replace(/\/+$/, '') : ''),
    authorize: (context) => presented(credentials, context, 'header'),
    authorizeQuery: (context) => presented(credentials, context, 'query'),
    failure: ({ status, body }) => (status < 400 ? undefined : { detail: sentenceOf(body) }),
  });
}

/** Header or query fields of the chosen alternative. Throws `CONNECTOR_CONFIG_INVALID` when a part of it is missing. */
function presented(
  plan: CredentialPlan,
  { config }: ConnectorContext,
  place: 'header' | 'query',
): Record<string, string> {
  const chosen = plan.alternatives.find(({ id }) => id === config.credential) ?? plan.alternatives[0];
  const schemes = plan.schemes.filter(({ id }) => chosen?.schemes.includes(id));
  const fields = schemes.filter((scheme) => isAt(scheme, place)).map((scheme) => credentialOf(scheme, config));
  return Object.fromEntries(fields);
}

function isAt(scheme: SecurityScheme, place: 'header' | 'query'): boolean {
  return (scheme.kind === 'key' && scheme.place === 'query') === (place === 'query');
}

function credentialOf(scheme: SecurityScheme, config: JsonObject): [string, string] {
  const secret = textOf(config, `${scheme.id}_secret`);
  if (scheme.kind === 'bearer') return ['authorization', `Bearer ${secret}`];
  if (scheme.kind === 'basic') {
    const pair = `${textOf(config, `${scheme.id}_username`)}:${secret}`;
    return ['authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`];
  }
  if (scheme.place !== 'cookie') return [scheme.name, secret];
  // A cookie's value ends at a semicolon; what follows would be a second cookie.
  if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(secret)) throw missing(`${scheme.id}_secret`);
  return ['cookie', `${scheme.name}=${secret}`];
}

function textOf(config: JsonObject, field: string): string {
  const value = config[field];
  if (typeof value === 'string' && value !== '') return value;
  throw missing(field);
}

function missing(field: string): VendorError {
  return new VendorError(
    'CONNECTOR_CONFIG_INVALID',
    `The setting "${field}" of this connector is missing or not usable.`,
  );
}
