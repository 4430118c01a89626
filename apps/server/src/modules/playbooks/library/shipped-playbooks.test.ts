import { createConnectorRegistry } from '@airdeck/connectors/registry';
import type { JsonObject } from '@airdeck/contracts/fields';
import {
  type DraftDefinition,
  type PlaybookAction,
  type PlaybookDefinition,
  playbookDefinitionSchema,
} from '@airdeck/contracts/playbooks/schema';
import { validateDefinition } from '@airdeck/engine/definition-validation';
import { createExpressions } from '@airdeck/expression/expression';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileSchemaCheck } from '../../actions/schema-check.ts';
import { inputsSchemaProblems } from '../inputs-schema.ts';
import { playbookYaml } from '../playbook-yaml-text.ts';
import { shippedPlaybooks } from './shipped-playbooks.ts';

const registry = createConnectorRegistry();
const expressions = createExpressions();
const library = Object.entries(shippedPlaybooks) as [string, PlaybookDefinition][];

/** Telling people is not containing anything: these need no decision before them. */
const reports = new Set([
  'jira.create_issue',
  'jira.add_comment',
  'servicenow.create_incident',
  'slack.post_message',
  'pagerduty.trigger',
  'pagerduty.resolve',
  'github.create_issue',
]);

const calls = (definition: PlaybookDefinition) =>
  definition.actions.filter((node): node is Extract<PlaybookAction, { kind: 'action' }> => node.kind === 'action');

/** What is wrong with an input whatever its templates come to. */
function inputProblems(name: string, input: unknown): { path: string; message: string }[] {
  const schema = registry.findAction(name)?.input_schema;
  if (schema === undefined) return [];
  return compileSchemaCheck(schema, 'input')(input).filter(({ path }) => !isTemplate(input, path.split('.').slice(1)));
}

function isTemplate(input: unknown, path: readonly string[]): boolean {
  const value = path.reduce<unknown>((at, name) => (at as JsonObject | undefined)?.[name], input);
  return typeof value === 'string' && value.includes('{{');
}

function ancestors(definition: PlaybookDefinition, id: string, seen = new Set<string>()): Set<string> {
  for (const before of definition.actions.find((node) => node.id === id)?.depends_on ?? []) {
    if (!seen.has(before)) ancestors(definition, before, seen.add(before));
  }
  return seen;
}

test('has a playbook for each of the usual cases, each under its own name', () => {
  expect(library.length).toBeGreaterThanOrEqual(13);
  expect(new Set(library.map(([, { metadata }]) => metadata.name)).size).toBe(library.length);
});

describe.each(library)('%s', (_key, definition) => {
  test('is a definition the engine takes, of actions that exist with inputs that fit', () => {
    expect(playbookDefinitionSchema.parse(definition)).toEqual(definition);
    const problems = validateDefinition(JSON.parse(JSON.stringify(definition)), {
      evaluator: expressions,
      actionExists: (name) => registry.findAction(name) !== undefined,
      checkInput: inputProblems,
      extraFields: ['connector_id'],
    });
    expect(problems).toEqual([]);
    expect(expressions.checkTemplates([definition.actions, definition.outputs])).toEqual([]);
  });

  test('is the same after it was written as YAML and read again', () => {
    expect(parse(playbookYaml(definition as DraftDefinition))).toEqual(definition);
  });

  test('gives every property of its vendors’ inputs that is required', () => {
    const missing = calls(definition).flatMap(({ id, action, input }) =>
      ((registry.findAction(action)?.input_schema.required ?? []) as string[])
        .filter((name) => !Object.hasOwn(input, name))
        .map((name) => `${id}.${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('says what it does, and what each of its inputs is', () => {
    expect(definition.metadata.description.length).toBeGreaterThan(60);
    expect(inputsSchemaProblems(definition.inputs)).toEqual([]);
    const check = compileSchemaCheck(definition.inputs, 'inputs');
    const properties = definition.inputs.properties as Record<string, JsonObject>;
    for (const [name, property] of Object.entries(properties)) {
      expect(property, name).toMatchObject({ title: expect.stringMatching(/^[A-Z]/) });
      for (const example of (property.examples ?? []) as unknown[]) {
        expect(
          check({ [name]: example }).filter(
            ({ path }) => path.startsWith(`inputs.${name}`) && path.split('.').length > 2,
          ),
        ).toEqual([]);
      }
    }
    expect(definition.inputs.additionalProperties).toBe(false);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(definition.inputs.required as string[]));
  });

  test('asks a person before it contains or destroys anything', () => {
    const prompts = definition.actions.filter(({ kind }) => kind === 'prompt').map(({ id }) => id);
    const acting = calls(definition).filter(
      ({ action }) => registry.findAction(action)?.effect !== 'reads' && !reports.has(action),
    );
    expect(acting.length).toBeGreaterThan(0);
    for (const { id, when } of acting) {
      expect(
        [...ancestors(definition, id)].filter((one) => prompts.includes(one)),
        id,
      ).not.toEqual([]);
      expect(when, id).toMatch(/\.output\.option/);
    }
  });

  test('asks questions that somebody may answer, that end, and that say what happens then', () => {
    for (const node of definition.actions) {
      if (node.kind !== 'prompt') continue;
      expect(node.approvers?.role).toMatch(/^(?:Analyst|SystemManager|Admin)$/);
      expect(node.options.map(({ value }) => value)).toEqual(expect.arrayContaining(['ignore', node.default_option]));
      expect(node.expires_in_s).toBeLessThan(definition.exec_options.timeout_s ?? 0);
    }
  });

  test('asks and reports although every vendor is down', () => {
    const actions = Object.fromEntries(
      definition.actions.map(({ id, kind }) => [
        id,
        kind === 'prompt'
          ? { status: 'success', output: { option: 'ignore', username: null, comment: null }, error: null }
          : { status: 'error', output: null, error: { code: 'VENDOR_UNAVAILABLE', message: 'It is down.' } },
      ]),
    );
    const context = {
      inputs: exampleInputs(definition),
      actions,
      run: { id: 'run' },
      trigger: {},
      item: 'x',
      index: 0,
    };
    for (const node of definition.actions) {
      const isWanted = !node.when || expressions.condition(node.when, context);
      if (node.kind === 'prompt') expect(expressions.render(node.message, context)).toMatch(/\?/);
      if (node.kind === 'action' && isWanted) {
        const input = expressions.render(node.input, context);
        expect(compileSchemaCheck(registry.findAction(node.action)?.input_schema ?? {}, node.id)(input)).toEqual([]);
      }
    }
    expect(() => expressions.render(definition.outputs, context)).not.toThrow();
  });
});

/** Every input filled in: with its example, its first choice, or something of its type. */
function exampleInputs({ inputs }: PlaybookDefinition): JsonObject {
  const anything: JsonObject = { string: 'x', boolean: true, number: 1 };
  return Object.fromEntries(
    Object.entries(inputs.properties as Record<string, JsonObject>).map(([name, { examples, enum: values, type }]) => {
      const [first] = (examples ?? values ?? []) as unknown[];
      return [name, first ?? anything[String(type)]];
    }),
  );
}
