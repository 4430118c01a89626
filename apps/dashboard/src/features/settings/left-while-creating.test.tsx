import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../test-app.tsx';
import { description, imported } from '../integrations/import/import-fixture.ts';
import { connector, connectorId, graylog, graylogDetail } from '../integrations/integrations-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const QUESTION = 'Leave without saving?';
const at = '2026-11-24T08:00:00.000Z';

const policyId = '01920000-0000-7000-8000-000000000601';
const playbookId = '01920000-0000-7000-8000-000000000701';
const automation: RuleResponse = {
  ...{ rule_id: policyId, response_name: 'Block', response_type: 'playbook', trigger: 'case_opened' },
  ...{ definition_id: playbookId, connector_id: null, inputs: {}, conditions: null },
  ...{ position: 0, enabled: true, created_by: 'ana', updated_by: 'ana', updated_at: at, revision: 1 },
  rule: { name: 'Port scans', enabled: true, severity: 'high' },
  ...{ rule_name: 'Port scans', definition_name: 'Block', connector_name: null, problems: [], last: null },
  figures: { succeeded: 0, failed: 0, cancelled: 0, active: 0, skipped: 0 },
};
const rule: AutomationRule = {
  ...{ id: '01920000-0000-7000-8000-000000000901', tenant: ownTenant, name: 'Answer port scans', enabled: true },
  ...{ event_category_id: 'd1', event_definition: { id: 'd1', title: 'Port scan' } },
  ...{ connector_id: connectorId, connector_name: 'Graylog' },
  actions: { responses: [] },
  notification: { state: 'attached', reason: null, title: 'AIRdeck: Answer port scans', checked_at: at },
  ...{ deleting: false, source_id: null, created_by: 'ana', updated_by: 'ana', created_at: at, updated_at: at },
  ...{ revision: 1, last_triggered_at: null, triggered_count: 0, problems: [] },
};

type Form = {
  what: string;
  at: string;
  answers: NonNullable<Given['answers']>;
  /** Fills it in; answers one of its fields. */
  fill: () => Promise<Element>;
  button: string;
  route: string;
  made: object;
  leadsTo: string;
};

async function typed(id: string, value: string): Promise<Element> {
  const field = await waitFor(() => {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`There is no field ${id}.`);
    return found;
  });
  fireEvent.change(field, { target: { value } });
  return field;
}

const forms: readonly Form[] = [
  {
    what: 'a new automation of a policy',
    at: `/air/automation-settings/new?rule_id=${policyId}&automation_id=${playbookId}`,
    answers: {},
    fill: () => typed('automation-response_name', 'Block'),
    button: 'Save',
    route: `POST ${api}/soar/rule_responses`,
    made: automation,
    leadsTo: `/air/automation-settings/${policyId}/Block`,
  },
  {
    what: 'a new automation of Graylog',
    at: '/graylog/automation-settings/new?event_id=d1&action_name=abuseipdb.check_ip',
    answers: {
      [`GET ${api}/connectors`]: () => Response.json([connector({ name: 'Graylog' })]),
      [`GET ${api}/soar/playbooks`]: () => Response.json([]),
      [`GET ${api}/soar/available_actions`]: () => Response.json([]),
      [`GET ${api}/event/automation_rules`]: () => Response.json([]),
    },
    fill: () => typed('rule-name', 'Answer port scans'),
    button: 'Save',
    route: `POST ${api}/event/automation_rules`,
    made: rule,
    leadsTo: `/graylog/automation-settings/edit/${rule.id}`,
  },
  {
    what: 'a new connector',
    at: '/integrations/new/graylog',
    answers: {
      [`GET ${api}/connectors`]: () => Response.json([]),
      [`GET ${api}/available_integrations/graylog`]: () => Response.json(graylogDetail),
    },
    fill: async () => {
      fireEvent.change(await screen.findByLabelText('Access token'), { target: { value: 'planted-token' } });
      const address = screen.getByLabelText('Address of the API');
      fireEvent.change(address, { target: { value: 'https://graylog.example.net/api' } });
      return address;
    },
    button: 'Save',
    route: `PUT ${api}/connectors`,
    made: connector({ state: 'pending' }),
    leadsTo: `/integrations/${connectorId}`,
  },
  {
    what: 'an import of a description',
    at: '/integrations/new/import',
    answers: {
      [`GET ${api}/connectors`]: () => Response.json([]),
      [`GET ${api}/openapi/integrations`]: () => Response.json([]),
      [`GET ${api}/available_integrations`]: () => Response.json([graylog]),
      [`POST ${api}/openapi/documents`]: () => Response.json(description, { status: 201 }),
    },
    fill: async () => {
      const text = await screen.findByLabelText('Description as JSON or YAML');
      fireEvent.change(text, { target: { value: 'openapi: 3.0.3' } });
      fireEvent.click(screen.getByRole('button', { name: 'Read the text' }));
      const box = await screen.findByRole('checkbox', { name: /List hosts/ });
      fireEvent.click(box);
      return box;
    },
    button: 'Import',
    route: `POST ${api}/openapi/integrations`,
    made: imported,
    leadsTo: `/integrations/new/${imported.definition_id}`,
  },
];

async function creating(form: Form) {
  let answer: (response: Response) => void = () => undefined;
  const opened = showApp(form.at, {
    me: userWith({ own: 'Admin' }),
    answers: {
      ...form.answers,
      [form.route]: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    },
  });
  const field = await form.fill();
  const button = await screen.findByRole('button', { name: form.button });
  fireEvent.click(button);
  await waitFor(() => expect(button.hasAttribute('data-loading')).toBe(true));
  await waitFor(() => expect(opened.state.asked).toContain(form.route));
  return {
    ...opened,
    isFixed: () => field.closest('fieldset[disabled]') !== null,
    leave: () => void opened.router.navigate({ to: '/home' }),
    answer: (with_: Response) => answer(with_),
  };
}

test.each(forms)('$what is not left unasked while it is made, and a refusal is told', async (form) => {
  const { leave, answer, isFixed } = await creating(form);
  expect(isFixed()).toBe(true);
  leave();
  expect(await screen.findByText(QUESTION)).toBeTruthy();
  answer(failure(409, 'CONFLICT', 'It is there already.'));
  fireEvent.click(screen.getByText('Stay', { selector: 'button *' }));
  expect(await screen.findByText(/It is there already/)).toBeTruthy();
  await waitFor(() => expect(isFixed()).toBe(false));
});

test.each(forms)('left while $what is made, nobody is pulled off the screen they are on by then', async (form) => {
  const { app, router, at: where, leave, answer } = await creating(form);
  leave();
  fireEvent.click(await screen.findByText('Leave', { selector: 'button *' }));
  await waitFor(() => expect(where()).toContain('/home'));
  await waitFor(() => expect(screen.queryByRole('button', { name: form.button })).toBeNull());
  answer(Response.json(form.made, { status: 201 }));
  await waitFor(() => expect(app.queryClient.isMutating()).toBe(0));
  // A way that is taken is told to the history after those who may object were asked.
  await new Promise((resolve) => setTimeout(resolve));
  expect(router.history.location.pathname).toBe('/home');
});

test.each(forms)('once it is made, $what leads on without a question', async (form) => {
  const { at: where, answer } = await creating(form);
  answer(Response.json(form.made, { status: 201 }));
  await waitFor(() => expect(where()).toBe(form.leadsTo));
  expect(screen.queryByText(QUESTION)).toBeNull();
});
