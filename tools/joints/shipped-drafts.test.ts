/** What the product ships, opened in the dashboard's editors and saved from there. */
import type { Policy, PolicyRule } from '@airdeck/contracts/policies/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultValues } from '../../apps/dashboard/src/components/schema-form/form-schema.ts';
import { schemaProblems } from '../../apps/dashboard/src/components/schema-form/schema-problems.ts';
import {
  draftOf as automationDraftOf,
  bodyOf,
  missingParts,
  newDraft,
} from '../../apps/dashboard/src/features/automation/automation-draft.ts';
import { readDefinition } from '../../apps/dashboard/src/features/playbooks/builder/document/builder-action.ts';
import {
  changeDocument,
  openDocument,
} from '../../apps/dashboard/src/features/playbooks/builder/document/builder-document.ts';
import { readYaml, writeYaml } from '../../apps/dashboard/src/features/playbooks/builder/document/definition-yaml.ts';
import { localProblems } from '../../apps/dashboard/src/features/playbooks/builder/document/local-problems.ts';
import { draftProblems, noProblems } from '../../apps/dashboard/src/features/policies/draft/draft-problems.ts';
import { draftOf, ruleOf, ruleText } from '../../apps/dashboard/src/features/policies/draft/policy-draft.ts';
import { readRule } from '../../apps/dashboard/src/features/policies/draft/read-rule.ts';
import { actionQueries } from '../../apps/dashboard/src/queries/actions.ts';
import { draftCalls, draftMutations } from '../../apps/dashboard/src/queries/playbook-drafts.ts';
import { playbookMutations, playbookQueries } from '../../apps/dashboard/src/queries/playbooks.ts';
import { policyCalls, policyQueries } from '../../apps/dashboard/src/queries/policies.ts';
import { shippedPlaybooks } from '../../apps/server/src/modules/playbooks/library/shipped-playbooks.ts';
import { furtherPolicies, starterPolicies } from '../../apps/server/src/modules/policies/starter-policies.ts';
import { filledForm } from './filled-form.ts';
import { confirmed, type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct();
});
afterAll(() => product?.close());

/** The copy of a playbook of the library, made when it is first asked for. */
async function added(key: string): Promise<string> {
  const { queryClient, tenantApi } = product;
  const adding = playbookMutations.addFromLibrary(tenantApi, queryClient);
  const library = await queryClient.getMutationCache().build(queryClient, adding).execute([key]);
  return library.find((shipped) => shipped.key === key)?.playbook_id ?? '';
}

function makePolicy(rule: PolicyRule, enabled: boolean): Promise<Policy> {
  const { tenantApi, intent } = product;
  return confirmed((controls) => policyCalls(tenantApi).create({ rule, enabled }, { ...controls, intent }));
}

describe.each(Object.keys(shippedPlaybooks))('the playbook %s', (key) => {
  test('is opened in the builder as it is, saved with a change, and published', async () => {
    const { queryClient, tenantApi } = product;
    const id = await added(key);
    const calls = draftCalls(tenantApi, queryClient, id);
    const { draft, published } = await calls.load();
    const { definition, repairs } = readDefinition(draft.definition);
    expect(repairs).toEqual([]);
    expect(definition).toEqual(draft.definition);
    const catalogue = await queryClient.fetchQuery(actionQueries.list(tenantApi));
    expect(localProblems(definition, new Map(catalogue.map((action) => [action.action_id, action])))).toEqual([]);
    expect(readYaml(writeYaml(definition))).toEqual({ definition, hasComments: false });

    const metadata = { ...definition.metadata, description: 'Our way.' };
    const changed = changeDocument(openDocument(definition), { type: 'settings', fields: { metadata } }).definition;
    const sent = { ...changed, actions: [...changed.actions] };
    const { problems } = await calls.validate(sent, AbortSignal.timeout(30_000));
    expect(problems).toEqual([]);
    const saved = await calls.save({
      definition: sent,
      revision: draft.revision,
      based_on: published.version,
    });
    expect(saved.problems).toEqual([]);
    const publishing = draftMutations.publish(tenantApi, queryClient, id);
    await queryClient.getMutationCache().build(queryClient, publishing).execute({ revision: saved.revision, note: '' });
    const now = await queryClient.fetchQuery({ ...playbookQueries.detail(tenantApi, queryClient, id), staleTime: 0 });
    expect(now).toMatchObject({
      version: published.version + 1,
      actions: definition.actions,
      inputs: definition.inputs,
    });
  });

  test.each(['required', 'all'] as const)('is tried with %s inputs, and so answers a policy', async (filling) => {
    const { queryClient, tenantApi, intent } = product;
    const playbook = await queryClient.fetchQuery(playbookQueries.detail(tenantApi, queryClient, await added(key)));
    const inputs = filledForm(playbook.inputs, defaultValues(playbook.inputs), filling);
    expect(schemaProblems(playbook.inputs, inputs)).toEqual([]);
    const starting = playbookMutations.start(tenantApi, queryClient, intent);
    const start = { playbookId: playbook.id, inputs, dryRun: true };
    const run = await queryClient.getMutationCache().build(queryClient, starting).execute(start);
    expect(run.playbook.definition.metadata).toEqual(playbook.metadata);

    const [rule] = starterPolicies;
    const policy = await makePolicy({ ...(rule as PolicyRule), name: `Answered by ${key}, ${filling}` }, false);
    const begun = newDraft({ rule_id: policy.id, automation_id: playbook.id, automation_type: 'playbook' });
    const draft = { ...begun, name: 'Answer', inputs };
    expect(missingParts(draft)).toEqual([]);
    const answering = { params: { tenant: tenantApi.tenantId }, body: bodyOf(draft) };
    const response = await confirmed((controls) =>
      tenantApi.api.call('rule-responses.create', { ...answering, ...controls }),
    );
    expect(automationDraftOf(response)).toEqual(draft);
  });
});

describe.each([...starterPolicies, ...furtherPolicies].map((rule) => [rule.name, rule] as const))(
  'the policy %s',
  (_name, rule) => {
    test('is made, opened in the editor as it is, and saved with a change', async () => {
      const { queryClient, tenantApi } = product;
      const calls = policyCalls(tenantApi);
      const made = await makePolicy(ruleOf(draftOf(rule)), true);
      const stored = await queryClient.fetchQuery({ ...policyQueries.detail(tenantApi, made.id), staleTime: 0 });
      expect(stored.rule).toEqual(rule);
      const draft = draftOf(stored.rule);
      expect(draftProblems(draft)).toEqual(noProblems);
      expect(readRule(ruleText(stored.rule))).toEqual({ rule: stored.rule });
      const changed = ruleOf({ ...draft, description: `${draft.description} Ours.` });
      const saved = await confirmed((controls) =>
        calls.update({ id: stored.id, rule: changed, based_on: stored.version }, controls),
      );
      expect(saved.rule).toEqual(changed);
    });
  },
);
