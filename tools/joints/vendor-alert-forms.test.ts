/** Automations on alerts of Graylog, saved by their form at a stand-in for Graylog. */
import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { limits } from '@airdeck/contracts/limits';
import { startSandbox } from '@airdeck/simulator/sandbox/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  draftOf,
  missingParts,
  newResponse,
  type ResponseDraft,
  type RuleDraft,
  responsesOf,
  sameDraft,
} from '../../apps/dashboard/src/features/graylog/rule-draft.ts';
import { newConnectorOf, newDraft } from '../../apps/dashboard/src/features/integrations/connector-draft.ts';
import { actionQueries } from '../../apps/dashboard/src/queries/actions.ts';
import { automationRuleCalls, automationRuleQueries } from '../../apps/dashboard/src/queries/automation-rules.ts';
import { connectorMutations } from '../../apps/dashboard/src/queries/connectors.ts';
import { graylogQueries } from '../../apps/dashboard/src/queries/graylog.ts';
import { integrationQueries } from '../../apps/dashboard/src/queries/integrations.ts';
import { playbookMutations, playbookQueries } from '../../apps/dashboard/src/queries/playbooks.ts';
import { shippedPlaybooks } from '../../apps/server/src/modules/playbooks/library/shipped-playbooks.ts';
import { filledForm } from './filled-form.ts';
import { confirmed, type JoinedProduct, joinProduct } from './joined-product.ts';

const keys = { graylog: 'key-of-graylog' };
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let product: JoinedProduct;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, keys });
  const { port } = sandbox;
  product = await joinProduct('SystemManager', { sandbox: { host: '127.0.0.1', port } });
  // The stand-in delivers to where the product listens.
  await product.server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  const { queryClient, tenantApi, intent } = product;
  const integration = await queryClient.fetchQuery(integrationQueries.detail(tenantApi, 'graylog'));
  const config = { base_url: `${sandbox.url}/graylog`, api_token: keys.graylog };
  const saving = connectorMutations.create(tenantApi, queryClient, intent);
  const body = newConnectorOf({ ...newDraft(integration, []), config }, integration);
  await queryClient.getMutationCache().build(queryClient, saving).execute(body);
});
afterAll(async () => {
  await product?.close();
  await sandbox?.close();
});

const nameOf = ({ definitionId }: ResponseDraft) => definitionId.slice(0, 100);

async function definitionIds(): Promise<string[]> {
  const { queryClient, tenantApi } = product;
  const { definitions } = await queryClient.fetchQuery(graylogQueries.definitions(tenantApi));
  return definitions.map(({ id }) => id);
}

async function create(draft: RuleDraft): Promise<AutomationRule> {
  const { tenantApi, intent } = product;
  expect(missingParts(draft, nameOf)).toEqual([]);
  const { name, definitionId, enabled } = draft;
  const actions = { responses: responsesOf(draft, nameOf) };
  const body = { name: name.trim(), event_category_id: definitionId, actions, enabled };
  const { id } = await confirmed((controls) => automationRuleCalls.create(tenantApi, body, { ...controls, intent }));
  return await read(id);
}

function read(id: string): Promise<AutomationRule> {
  const { queryClient, tenantApi } = product;
  return queryClient.fetchQuery({ ...automationRuleQueries.detail(tenantApi, id), staleTime: 0 });
}

async function change({ id, revision }: AutomationRule, draft: RuleDraft): Promise<AutomationRule> {
  const { name, enabled } = draft;
  const body = { name, actions: { responses: responsesOf(draft, nameOf) }, enabled, revision };
  await confirmed((controls) => automationRuleCalls.change(product.tenantApi, id, body, controls));
  return await read(id);
}

/** Of what was not saved yet, cards have keys of their own. */
function withoutKeys({ responses, ...rest }: RuleDraft) {
  return { ...rest, responses: responses.map((response) => ({ ...response, key: '' })) };
}

async function kept(draft: RuleDraft): Promise<void> {
  const rule = await create(draft);
  // Of most vendors no connector is set up here, which is said of each response.
  expect(rule.problems.filter(({ code }) => code !== 'CONNECTOR_OFF')).toEqual([]);
  const opened = draftOf(rule);
  const responses = draft.responses.map((each) => ({ ...each, name: each.name.trim() || nameOf(each) }));
  expect(withoutKeys(opened)).toEqual(withoutKeys({ ...draft, responses }));
  const again = await change(rule, opened);
  expect(draftOf(again)).toEqual(opened);
  expect(sameDraft(draftOf(again), opened)).toBe(true);
  const changed = {
    ...opened,
    name: `${draft.name} changed`,
    enabled: false,
    responses: opened.responses.toReversed(),
  };
  expect(draftOf(await change(again, changed))).toEqual(changed);
}

describe.each(['required', 'all'] as const)('with %s fields filled in', (filling) => {
  test('an automation keeps actions, as many as it may start', async () => {
    const { queryClient, tenantApi } = product;
    const [definitionId = ''] = await definitionIds();
    const actions = await queryClient.fetchQuery(actionQueries.list(tenantApi));
    for (let at = 0; at < actions.length; at += limits.automationResponsesMax) {
      const responses = actions
        .slice(at, at + limits.automationResponsesMax)
        .map(({ action_id, input_schema }) =>
          newResponse({ type: 'action', definitionId: action_id, inputs: filledForm(input_schema, {}, filling) }),
        );
      await kept({ name: `Actions from ${at}, ${filling}`, definitionId, enabled: true, responses });
    }
  });

  test('an automation keeps playbooks with what an alert gives them', async () => {
    const { queryClient, tenantApi } = product;
    const [definitionId = ''] = await definitionIds();
    const adding = playbookMutations.addFromLibrary(tenantApi, queryClient);
    await queryClient.getMutationCache().build(queryClient, adding).execute(Object.keys(shippedPlaybooks));
    const playbooks = await queryClient.fetchQuery({ ...playbookQueries.list(tenantApi), staleTime: 0 });
    const responses = playbooks
      .slice(0, limits.automationResponsesMax)
      .map(({ id, inputs }, index) =>
        newResponse({ definitionId: id, name: ` Response ${index} `, inputs: filledForm(inputs, {}, filling) }),
      );
    await kept({ name: `Playbooks, ${filling}`, definitionId, enabled: false, responses });
  });
});

test('every event definition the list offers can be answered', async () => {
  const inputs = { address: '{{ alert.fields.src_ip }}', comment: '{{ alert.title }} {{ alert.priority }}' };
  for (const definitionId of await definitionIds()) {
    const response = newResponse({ type: 'action', definitionId: 'fortigate.block_address', inputs });
    await kept({ name: `Answers ${definitionId}`, definitionId, enabled: true, responses: [response] });
  }
});
