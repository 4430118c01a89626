import type { Policy, PolicyRule } from '@airdeck/contracts/policies/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../../test-app.tsx';
import { policy, policyId, policyList, rule } from '../policy-fixtures.ts';

// A busy machine is slow without being wrong, and this is the largest form there is.
vi.setConfig({ testTimeout: 180_000 });
const api = `/api/tenants/${ownTenant}/soar`;
const ONE = `${api}/rules/${policyId(1)}`;
const EDIT = `/air/policy-management/${policyId(1)}/edit`;

type Wanted = { answers?: Given['answers']; stored?: () => Policy };

function editor(at: string, { answers = {}, stored = () => policy(1) }: Wanted = {}) {
  const sent: { body: unknown; confirmed: boolean }[] = [];
  const app = showApp(at, {
    answers: {
      [`GET ${api}/rules`]: () => Response.json(policyList([policy(1)])),
      [`GET ${ONE}`]: () => Response.json(stored()),
      [`PUT ${ONE}`]: ({ body }) => {
        sent.push({ body, confirmed: false });
        return Response.json({ ...policy(1), ...(body as Partial<Policy>), version: 4 });
      },
      [`POST ${api}/rules`]: ({ body }) => {
        sent.push({ body, confirmed: false });
        return Response.json({ ...policy(1), ...(body as Partial<Policy>) }, { status: 201 });
      },
      ...answers,
    },
  });
  return { ...app, sent };
}

/** By its accessible name; looked up directly, because the queries of the library walk the whole form each time. */
function found(label: string): HTMLElement {
  const named = document.querySelector<HTMLElement>(`[aria-label="${label}"]`);
  const labels = [...document.querySelectorAll('label')];
  // What explains a switch is in its label too, after its name.
  const labelled = (
    labels.find(({ textContent }) => textContent === label) ??
    labels.find(({ textContent }) => textContent?.startsWith(label))
  )?.control;
  const element = named ?? labelled;
  if (element === null || element === undefined) throw new Error(`There is no field ${label}.`);
  return element;
}
const field = (label: string) => waitFor(() => found(label));
const type = async (label: string, value: string) => fireEvent.change(await field(label), { target: { value } });
const tag = async (label: string, value: string) => {
  const element = await field(label);
  // What changes without the focus is taken for a browser's own filling in.
  element.focus();
  fireEvent.change(element, { target: { value } });
  fireEvent.keyDown(element, { key: 'Enter' });
  element.blur();
};

function press(name: string): void {
  const buttons = [...document.querySelectorAll('button')];
  const button = buttons.find((each) => each.getAttribute('aria-label') === name || each.textContent === name);
  if (button === undefined) throw new Error(`There is no button ${name}.`);
  fireEvent.click(button);
}

test('Read Only may not write policies', async () => {
  const me = userWith({ own: 'ReadOnly' });
  expect((await visit('/air/policy-management/new', { me })).at).toBe('/unauthorized');
});

test('a policy is written, said in words, and stored as it was written', async () => {
  const { sent, at } = editor('/air/policy-management/new');
  await field('Name');
  press('Create policy');
  const summary = within(await screen.findByRole('alert'));
  // With each try, not only the first.
  expect(document.activeElement).toBe(await field('Name'));
  (await field('Field of condition 1')).focus();
  press('Create policy');
  expect(document.activeElement).toBe(await field('Name'));
  fireEvent.click(summary.getByRole('button', { name: 'Conditions' }));
  expect(document.activeElement).toBe(await field('Field of condition 1'));
  fireEvent.click(summary.getByRole('button', { name: 'Name' }));
  expect(document.activeElement).toBe(await field('Name'));
  // Beside the fields, too.
  expect(screen.getByText('Give the policy a name.')).toBeTruthy();
  expect(screen.getByText('Name the field.')).toBeTruthy();
  expect(sent).toEqual([]);

  await type('Name', 'Guessing');
  await type('Integration of source 1', 'sshd');
  await type('Field of condition 1', 'message');
  await type('Comparison of condition 1', 'contains');
  await tag('Values of condition 1', 'Failed password');
  await tag('One case per', 'src_ip');
  fireEvent.click(await field('Only when several fit within a time'));
  await screen.findByText('5 events of the same src_ip that fit within 5 minutes open a case.');
  press('Create policy');
  await waitFor(() => expect(at()).toContain('/edit'));
  expect(sent).toEqual([
    {
      confirmed: false,
      body: {
        enabled: false,
        rule: {
          name: 'Guessing',
          description: '',
          type: 'custom',
          severity: 'medium',
          logic: {
            rule_type: 'filter_and_group',
            filter_criteria: [{ field: 'message', operator: 'contains', value: 'Failed password' }],
            group_by: ['src_ip'],
            threshold: { count: 5, within_s: 300 },
            source: { source_type: 'log', connector_definition_id: 'sshd', event_type: '' },
          },
        },
      },
    },
  ]);
});

test('while a new policy is created nothing can be typed, or the move to its page would throw it away', async () => {
  let answer: (response: Response) => void = () => undefined;
  const { at } = editor('/air/policy-management/new', {
    answers: {
      [`POST ${api}/rules`]: () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    },
  });
  await type('Name', 'Guessing');
  await type('Field of condition 1', 'message');
  await type('Comparison of condition 1', 'empty');
  await type('Integration of source 1', 'sshd');
  expect((await field('Name')).matches(':disabled')).toBe(false);
  press('Create policy');
  await waitFor(() => expect(found('Name').matches(':disabled')).toBe(true));
  expect(found('Switch it on at once').matches(':disabled')).toBe(true);
  answer(failure(400, 'VALIDATION_FAILED', 'No.'));
  await waitFor(() => expect(found('Name').matches(':disabled')).toBe(false));
  expect(at()).toContain('/new');
});

test('conditions are added and moved by keys, and the focus goes with them', async () => {
  const { sent } = editor(EDIT);
  await field('Field of condition 1');
  press('Add a condition to the conditions');
  expect(document.activeElement).toBe(await field('Field of condition 2'));
  await type('Comparison of condition 2', 'empty');
  await type('Field of condition 2', 'user');
  (await field('Field of condition 2')).focus();
  fireEvent.keyDown(await field('Field of condition 2'), { key: 'ArrowUp', altKey: true, shiftKey: true });
  expect(((await field('Field of condition 1')) as HTMLInputElement).value).toBe('user');
  expect(document.activeElement).toBe(await field('Field of condition 1'));
  fireEvent.keyDown(await field('Field of condition 1'), { key: 'ArrowRight', altKey: true, shiftKey: true });
  fireEvent.change(await field('How group 1 hold together'), { target: { value: 'none' } });
  press('Save changes');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({
    based_on: 3,
    rule: {
      logic: {
        filter_criteria: [
          { not: { field: 'user', operator: 'empty' } },
          { field: 'message', operator: 'contains', value: 'Failed password' },
        ],
      },
    },
  });
});

test('steps are written one by one, each with its own events, and stored in the order they stand in', async () => {
  const { threshold: _none, ...logic } = rule(1).logic;
  const { sent } = editor(EDIT, { stored: () => policy(1, { rule: rule(1, { logic }) }) });
  fireEvent.click(await field('Only when steps follow each other'));
  const step = async (number: number) => {
    const named = () => document.querySelector<HTMLElement>(`section[aria-label="Step ${number}"]`);
    await waitFor(() => expect(named()).not.toBeNull());
    const section = named();
    if (section === null) throw new Error(`There is no step ${number}.`);
    return section;
  };
  const inStep = async (number: number, label: string) => {
    const section = await step(number);
    const labelled = [...section.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.control;
    const element = section.querySelector<HTMLElement>(`[aria-label="${label}"]`) ?? labelled;
    if (element === null || element === undefined) throw new Error(`Step ${number} has no ${label}.`);
    return element;
  };
  const tagStep = async (number: number, label: string, value: string) => {
    const element = await inStep(number, label);
    element.focus();
    fireEvent.change(element, { target: { value } });
    fireEvent.keyDown(element, { key: 'Enter' });
    element.blur();
  };
  press('Further step');
  await step(3);
  press('Remove step 3');
  press('Save changes');
  await screen.findByText('Name the field.');
  expect(sent).toEqual([]);

  fireEvent.change(await inStep(2, 'Field of condition 1'), { target: { value: 'outcome' } });
  await tagStep(2, 'Values of condition 1', 'success');
  fireEvent.click(await inStep(2, 'In events of another source'));
  fireEvent.change(await inStep(2, 'Integration of source 1'), { target: { value: 'okta' } });
  await tagStep(2, 'What its events call src_ip', 'client.ipAddress');
  await screen.findByText(
    'Events of the same src_ip that go through 2 steps, one after the other, within 10 minutes open a case.',
    {},
  );
  press('Move step 2 up');
  press('Save changes');
  await waitFor(() => expect(sent).toHaveLength(1));
  const [{ body } = { body: undefined }] = sent;
  const stored = body as { rule: PolicyRule } | undefined;
  expect(stored?.rule.logic).toEqual({
    ...logic,
    filter_criteria: [],
    sequence: {
      steps: [
        {
          filter_criteria: [{ field: 'outcome', operator: 'equals', value: 'success' }],
          source: { source_type: 'log', connector_definition_id: 'okta', event_type: '' },
          group_by: ['client.ipAddress'],
        },
        { filter_criteria: logic.filter_criteria },
      ],
      within_s: 600,
    },
  });
});

test('who was slower is told what somebody else changed, and nothing is overwritten unasked', async () => {
  let stored = policy(1);
  const sent: unknown[] = [];
  editor(EDIT, {
    stored: () => stored,
    answers: {
      [`PUT ${ONE}`]: ({ body }) => {
        sent.push(body);
        if (sent.length === 1) return failure(409, 'CONFLICT');
        return Response.json({ ...policy(1), ...(body as Partial<Policy>), version: 5 });
      },
    },
  });
  await type('Name', 'Mine');
  await type('What changed', 'A better name');
  stored = policy(1, { version: 4, rule: rule(1, { severity: 'low' }) });
  press('Save changes');
  const dialog = within(await screen.findByRole('dialog', { name: 'Somebody else changed this policy' }));
  expect(dialog.getByText(/severity\. You changed name\./)).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Save mine' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  const note = 'A better name';
  expect(sent).toMatchObject([
    { based_on: 3, note },
    { based_on: 4, note, rule: { name: 'Mine', severity: 'high' } },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a policy that would match nearly everything asks first', async () => {
  const sent: unknown[] = [];
  const confirm = {
    title: 'Switch on “Policy 1”?',
    text: '98 % of the events of the last day match.',
    action_label: 'Switch on',
  };
  editor(EDIT, {
    stored: () => policy(1, { enabled: false }),
    answers: {
      [`PUT ${ONE}`]: ({ body }) => {
        sent.push(body);
        if (sent.length > 1) return Response.json({ ...policy(1), version: 4 });
        return Response.json(
          { message: 'Please confirm.', code: 'CONFIRMATION_REQUIRED', request_id: 'r', confirm },
          { status: 449 },
        );
      },
    },
  });
  fireEvent.click(await screen.findByRole('switch', { name: 'Policy 1 is on' }));
  const dialog = within(await screen.findByRole('dialog', { name: confirm.title }));
  expect(dialog.getByText(confirm.text)).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Switch on' }));
  await waitFor(() => expect(sent).toEqual([{ enabled: true }, { enabled: true }]));
});

test('as JSON it is the same policy; what cannot be read stays, with what is wrong, and is not saved', async () => {
  const { sent } = editor(`${EDIT}?view=json`);
  const json = (await field('The policy as JSON')) as HTMLTextAreaElement;
  fireEvent.change(json, { target: { value: json.value.replace('"high"', '"fatal"') } });
  await screen.findByText(/severity must be one of/);
  press('Save changes');
  expect(sent).toEqual([]);
  fireEvent.change(json, { target: { value: json.value.replace('"fatal"', '"low"') } });
  press('Save changes');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ rule: { severity: 'low' } });
});

test('a length of time too long for the form shows there as it is, is told, and is not saved', async () => {
  const { sent } = editor(`${EDIT}?view=json`);
  const json = (await field('The policy as JSON')) as HTMLTextAreaElement;
  fireEvent.change(json, { target: { value: json.value.replace(/"within_s": \d+/, '"within_s": 9999999999') } });
  fireEvent.click(await screen.findByRole('radio', { name: 'Form' }));
  expect(await field('Within')).toHaveProperty('value', '9999999999');
  expect(screen.getByText('This is longer than it may be.')).toBeTruthy();
  press('Save changes');
  await screen.findByText('Count within 1 second to 7 days.');
  expect(sent).toEqual([]);
  await type('Within', '90');
  press('Save changes');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ rule: { logic: { threshold: { within_s: 90 } } } });
});

test('what the server finds wrong stands at the condition it is about', async () => {
  editor(EDIT, {
    answers: {
      [`PUT ${ONE}`]: () =>
        Response.json(
          {
            message: 'No.',
            code: 'VALIDATION_FAILED',
            request_id: 'r',
            details: [{ path: 'rule.logic.filter_criteria.0.value', message: 'This is longer than it may be.' }],
          },
          { status: 400 },
        ),
    },
  });
  await type('Name', 'Other');
  press('Save changes');
  await screen.findByText('This is longer than it may be.');
  expect((await field('Values of condition 1')).getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(await field('Values of condition 1'));
});

test('pasted events are tried on the policy as it stands here, line by line', async () => {
  const asked: unknown[] = [];
  editor(EDIT, {
    answers: {
      [`POST ${api}/rules/test`]: ({ body }) => {
        asked.push(body);
        return Response.json({
          lines: [
            { line: 1, matched: true, integration: 'sshd', event_type: 'authentication', of_source: true },
            { line: 2, matched: false, integration: 'nginx', event_type: 'access', of_source: false },
          ],
          summary: { events: 2, matched: 1, cases: [{ group: { src_ip: '203.0.113.7' }, events: 1 }] },
        });
      },
    },
  });
  await type('Name', 'Other');
  await type('Events, one per line', 'a\nb');
  press('Try');
  await screen.findByText('src_ip 203.0.113.7');
  expect(asked).toMatchObject([{ events: 'a\nb', rule: { name: 'Other' } }]);
  expect(screen.getByText(/1 line is of another source/)).toBeTruthy();
  await type('Events, one per line', 'c');
  await screen.findByText(/Something was changed since/);
});

test.each([
  [100, 102, 'Older versions are not kept.'],
  [40, 60, 'Older versions are not listed: together they are too long.'],
  [3, 3, undefined],
])('a list of %i versions up to %i says what became of the older ones', async (count, newest, words) => {
  const change = {
    change: 'changed',
    note: '',
    enabled: true,
    rule: rule(1),
    changed_by: '',
    changed_at: policy(1).created_at,
  };
  const versions = Array.from({ length: count }, (_, n) => ({ ...change, version: newest - n }));
  editor(EDIT, { answers: { [`GET ${ONE}/versions`]: () => Response.json(versions) } });
  fireEvent.click(await screen.findByRole('tab', { name: 'Versions' }));
  await screen.findByText(`v${newest}`);
  expect(screen.queryByText(/^Older versions/)?.textContent).toBe(words);
});

/** A value that was seen in an event, as the search passes it on. */
const seen = (value: string, source = 'sshd:authentication') =>
  `${EDIT}?criterion=${encodeURIComponent(JSON.stringify({ field: 'src_ip', value }))}&source=${source}`;

test('a value from the search is in the form of a policy, unsaved, and once saved it is not added again', async () => {
  const { sent, at } = editor(seen('203.0.113.9', 'okta:user'));
  const note = () => screen.queryByText('Added from the search: src_ip is 203.0.113.9');
  await screen.findByText('Added from the search: src_ip is 203.0.113.9');
  expect(screen.getByText(/seen in events of okta this policy does not look at/)).toBeTruthy();
  expect(found('Field of condition 2')).toHaveProperty('value', 'src_ip');
  expect(sent).toEqual([]);
  press('Discard');
  await waitFor(() => expect(note()).toBeNull());
  expect(document.querySelector('[aria-label="Field of condition 2"]')).toBeNull();
  press('Add a condition to the conditions');
  await type('Field of condition 2', 'src_ip');
  await tag('Values of condition 2', '203.0.113.9');
  press('Save changes');
  await waitFor(() => expect(at()).not.toContain('criterion'));
  expect(at()).toContain('/edit');
  expect(note()).toBeNull();
  expect(sent).toMatchObject([
    {
      body: {
        based_on: 3,
        rule: {
          logic: {
            filter_criteria: [
              { field: 'message', operator: 'contains', value: 'Failed password' },
              { field: 'src_ip', operator: 'equals', value: '203.0.113.9' },
            ],
          },
        },
      },
    },
  ]);
});

test('a form that a value was added to is not left without asking', async () => {
  const { at } = editor(seen('203.0.113.9'));
  await screen.findByText('Added from the search: src_ip is 203.0.113.9');
  fireEvent.click(screen.getByRole('link', { name: 'Home' }));
  const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  fireEvent.click(question.getByText('Stay'));
  expect(at()).toContain('/edit');
});

test('a value the policy asks for already changes nothing, and says so', async () => {
  const asking = rule(1);
  const { logic } = asking;
  const filter_criteria = [{ field: 'src_ip', operator: 'equals' as const, value: '203.0.113.9' }];
  editor(seen('203.0.113.9'), {
    stored: () => policy(1, { rule: { ...asking, logic: { ...logic, filter_criteria } } }),
  });
  await screen.findByText('This policy already asks for src_ip is 203.0.113.9');
  expect([...document.querySelectorAll('button')].some(({ textContent }) => textContent === 'Discard')).toBe(false);
  // Nor is it said to be added once something else is changed.
  press('Add a condition to the conditions');
  await screen.findByRole('button', { name: 'Discard' });
  expect(screen.queryByText('Added from the search: src_ip is 203.0.113.9')).toBeNull();
});

test.each([
  ['any', /one opens cases by itself/],
  ['not', /What meets its conditions opens no case/],
])('a value that joins conditions of which the policy takes %s is told what that means', async (group, words) => {
  const conditions = ['host', 'message'].map((field) => ({ field, operator: 'equals' as const, value: 'x' }));
  const filter_criteria = group === 'any' ? [{ any: conditions }] : [{ not: { any: conditions } }];
  const { logic, ...asking } = rule(1);
  editor(seen('203.0.113.9'), {
    stored: () => policy(1, { rule: { ...asking, logic: { ...logic, filter_criteria } } }),
  });
  await screen.findByText('Added from the search: src_ip is 203.0.113.9');
  expect(screen.getByText(words)).toBeTruthy();
});
