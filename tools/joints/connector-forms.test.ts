import { rootCertificates } from 'node:tls';
import { createConnectorRegistry } from '@airdeck/connectors/registry';
import type { Connector } from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Integration } from '@airdeck/contracts/integrations/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formFields, isSecretMask } from '../../apps/dashboard/src/components/schema-form/form-schema.ts';
import {
  type ConnectorDraft,
  changeOf,
  draftOf,
  draftProblems,
  type Fetching,
  newConnectorOf,
  newDraft,
  noProblems,
  switched,
} from '../../apps/dashboard/src/features/integrations/connector-draft.ts';
import {
  type ConnectorChange,
  connectorMutations,
  connectorQueries,
} from '../../apps/dashboard/src/queries/connectors.ts';
import { integrationQueries } from '../../apps/dashboard/src/queries/integrations.ts';
import { type Filling, filledForm } from './filled-form.ts';
import { type JoinedProduct, joinProduct } from './joined-product.ts';

const offered = createConnectorRegistry()
  .list()
  .filter(({ visible }) => visible)
  .map(({ definition_id }) => definition_id);

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct();
});
afterAll(() => product?.close());

/** The form of a new connector, with everything it offers to fetch switched on. */
async function openedForm(id: string) {
  const { queryClient, tenantApi } = product;
  const integration = await queryClient.fetchQuery(integrationQueries.detail(tenantApi, id));
  const connectors = await queryClient.fetchQuery({ ...connectorQueries.list(tenantApi), staleTime: 0 });
  const draft = newDraft(integration, connectors);
  const events = switched(draft.events, integration.can_fetch_events, integration.event_options_schema);
  const metrics = switched(draft.metrics, integration.can_fetch_metrics, integration.metric_options_schema);
  return { integration, draft: { ...draft, events, metrics } };
}

/** What is none is refused, whatever its length. */
function withAuthority<T extends object>(config: T): T {
  return 'ca_certificate' in config ? { ...config, ca_certificate: rootCertificates[0] } : config;
}

function filledDraft(draft: ConnectorDraft, integration: Integration, filling: Filling): ConnectorDraft {
  const chosen = ({ enabled, options }: Fetching, schema: JsonObject | null): Fetching => ({
    enabled,
    options: enabled && schema !== null ? filledForm(schema, options, filling) : options,
  });
  return {
    name: draft.name,
    config: withAuthority(filledForm(integration.config_schema, draft.config, filling)),
    events: chosen(draft.events, integration.event_options_schema),
    metrics: chosen(draft.metrics, integration.metric_options_schema),
  };
}

function create(draft: ConnectorDraft, integration: Integration): Promise<Connector> {
  const { queryClient, tenantApi, intent } = product;
  const saving = connectorMutations.create(tenantApi, queryClient, intent);
  return queryClient.getMutationCache().build(queryClient, saving).execute(newConnectorOf(draft, integration));
}

function update({ id, last_updated }: Connector, change: ConnectorChange): Promise<Connector> {
  const { queryClient, tenantApi } = product;
  const saving = connectorMutations.update(tenantApi, queryClient);
  return queryClient
    .getMutationCache()
    .build(queryClient, saving)
    .execute({ id, body: { ...change, last_updated } });
}

function read(id: string): Promise<Connector> {
  const { queryClient, tenantApi } = product;
  return queryClient.fetchQuery({ ...connectorQueries.detail(tenantApi, id), staleTime: 0 });
}

/** A draft without what is never told again: of secrets only that they are there. */
function withoutSecrets(draft: ConnectorDraft, integration: Integration): ConnectorDraft {
  const secrets = secretsOf(integration);
  const config = Object.entries(draft.config).map(([name, value]) => [name, secrets.includes(name) ? 'kept' : value]);
  return { ...draft, config: Object.fromEntries(config) };
}

function secretsOf({ config_schema }: Integration): string[] {
  return formFields(config_schema).flatMap(({ kind, name }) => (kind === 'secret' ? [name] : []));
}

test('the catalogue of the dashboard offers what is tried here', async () => {
  const { queryClient, tenantApi } = product;
  const integrations = await queryClient.fetchQuery(integrationQueries.list(tenantApi));
  expect(integrations.map(({ id }) => id).toSorted()).toEqual(offered.toSorted());
});

describe.each(offered)('the form of %s', (id) => {
  test.each(['required', 'all'] as const)(
    'with %s fields filled in and all fetching on is saved, read as it was sent, and saved again',
    async (filling) => {
      const { integration, draft: begun } = await openedForm(id);
      const draft = filledDraft(begun, integration, filling);
      expect(draftProblems(draft, integration)).toEqual(noProblems);

      const stored = await read((await create(draft, integration)).id);
      const shown = draftOf(stored);
      expect(withoutSecrets(shown, integration)).toEqual(withoutSecrets(draft, integration));
      expect(
        secretsOf(integration).filter((name) => name in draft.config && !isSecretMask(shown.config[name])),
      ).toEqual([]);
      expect(draftProblems(shown, integration)).toEqual(noProblems);

      const { tenantApi } = product;
      const replaced = await tenantApi.api.call('connectors.put', {
        params: { tenant: tenantApi.tenantId },
        body: stored,
      });
      expect(draftOf(replaced)).toEqual(shown);

      const off = {
        ...shown,
        name: `${id} ${filling}`,
        events: switched(shown.events, false, integration.event_options_schema),
        metrics: switched(shown.metrics, false, integration.metric_options_schema),
      };
      const saved = await update(replaced, changeOf(shown, off));
      expect(draftOf(saved)).toEqual(off);
      expect(draftOf(await update(saved, changeOf(off, shown)))).toEqual(shown);
    },
  );
});
