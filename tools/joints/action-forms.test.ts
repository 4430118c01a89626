import { createConnectorRegistry } from '@airdeck/connectors/registry';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultValues } from '../../apps/dashboard/src/components/schema-form/form-schema.ts';
import { schemaProblems } from '../../apps/dashboard/src/components/schema-form/schema-problems.ts';
import {
  bodyOf,
  draftOf,
  missingParts,
  newDraft,
} from '../../apps/dashboard/src/features/automation/automation-draft.ts';
import { emptyDefinition } from '../../apps/dashboard/src/features/playbooks/builder/document/builder-action.ts';
import {
  changeDocument,
  openDocument,
} from '../../apps/dashboard/src/features/playbooks/builder/document/builder-document.ts';
import { localProblems } from '../../apps/dashboard/src/features/playbooks/builder/document/local-problems.ts';
import { newAction } from '../../apps/dashboard/src/features/playbooks/builder/document/new-action.ts';
import { actionQueries } from '../../apps/dashboard/src/queries/actions.ts';
import { actionRunMutations } from '../../apps/dashboard/src/queries/activity.ts';
import { draftCalls, draftMutations } from '../../apps/dashboard/src/queries/playbook-drafts.ts';
import { policyCalls } from '../../apps/dashboard/src/queries/policies.ts';
import { starterPolicies } from '../../apps/server/src/modules/policies/starter-policies.ts';
import { filledForm } from './filled-form.ts';
import { confirmed, type JoinedProduct, joinProduct } from './joined-product.ts';

const offered = createConnectorRegistry()
  .listActions()
  .map(({ action_id }) => action_id);
const integrations = [...new Set(offered.map((id) => id.slice(0, id.indexOf('.'))))];
const fillings = ['required', 'all'] as const;

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct();
});
afterAll(() => product?.close());

function listed() {
  const { queryClient, tenantApi } = product;
  return queryClient.fetchQuery(actionQueries.list(tenantApi));
}

test('the catalogue of the dashboard offers what is tried here', async () => {
  expect((await listed()).map(({ action_id }) => action_id).toSorted()).toEqual(offered.toSorted());
});

describe.each(fillings)('with %s fields filled in', (filling) => {
  test.each(offered)('the form that runs %s is taken', async (id) => {
    const { queryClient, tenantApi, intent } = product;
    const action = await queryClient.fetchQuery(actionQueries.detail(tenantApi, queryClient, id));
    const input = filledForm(action.input_schema, defaultValues(action.input_schema), filling);
    expect(schemaProblems(action.input_schema, input)).toEqual([]);
    // "Run later": all of it is checked now, and nothing is called.
    const later = new Date(Date.now() + 86_400_000).toISOString();
    const body = { action_name: id, action_input: input, connector_id: null, time_scheduled: later };
    const { mutationFn } = actionRunMutations.start(tenantApi, queryClient, intent);
    const { summary } = await confirmed((controls) => mutationFn(body, controls));
    expect(summary.status).toBe('pending');
  });

  test('steps of all of them are saved in one playbook, and the server finds nothing wrong with them', async () => {
    const { queryClient, tenantApi, intent } = product;
    const actions = await listed();
    const begun = openDocument(emptyDefinition(`Every action, ${filling}`));
    const { definition } = actions.reduce((document, action) => {
      const step = newAction(action);
      const input = filledForm(action.input_schema, defaultValues(action.input_schema), filling);
      return changeDocument(document, { type: 'add', action: { ...step, input }, after: [] });
    }, begun);
    expect(localProblems(definition, new Map(actions.map((action) => [action.action_id, action])))).toEqual([]);
    const creating = draftMutations.create(tenantApi, queryClient, intent);
    const draft = await queryClient
      .getMutationCache()
      .build(queryClient, creating)
      .execute({ ...definition, actions: [...definition.actions] });
    expect(draft.problems).toEqual([]);
    const { load } = draftCalls(tenantApi, queryClient, draft.playbook_id);
    expect((await load()).draft.definition.actions).toEqual(definition.actions);
  });

  test.each(integrations)('automations start the actions of %s', async (definitionId) => {
    const { tenantApi, intent } = product;
    const params = { tenant: tenantApi.tenantId };
    const rule = { ...(starterPolicies[0] as PolicyRule), name: `Answered by ${definitionId}, ${filling}` };
    const policy = await policyCalls(tenantApi).create({ rule, enabled: false }, { intent });
    for (const { action_id, input_schema } of (await listed()).filter(
      (action) => action.definition_id === definitionId,
    )) {
      const begun = newDraft({ rule_id: policy.id, automation_id: action_id, automation_type: 'action' });
      const draft = { ...begun, name: action_id, inputs: filledForm(input_schema, {}, filling) };
      expect(missingParts(draft)).toEqual([]);
      const call = { params, body: bodyOf(draft) };
      const saved = await confirmed((controls) =>
        tenantApi.api.call('rule-responses.create', { ...call, ...controls }),
      );
      expect(draftOf(saved)).toEqual(draft);
    }
  });
});
