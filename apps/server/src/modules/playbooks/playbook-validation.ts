/**
 * What is wrong with a definition, all at once: its shape, what its parts mean to each other, and what they name in the
 * tenant. The engine checks the graph, references and expressions; here is what only the tenant's data can tell.
 */
import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import { playbookTold } from '@airdeck/contracts/playbooks/problem-texts';
import {
  type DraftDefinition,
  type PlaybookAction,
  type PlaybookDefinition,
  type PlaybookProblem,
  playbookActionSchema,
  playbookDefinitionSchema,
} from '@airdeck/contracts/playbooks/schema';
import { MAX_PROBLEMS, validateDefinition } from '@airdeck/engine/definition-validation';
import type { ExpressionEvaluator } from '@airdeck/engine/interfaces';
import type { z } from 'zod';
import { inOurWords, valueProblem } from '../../http/value-problems.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import { compileSchema, compileUserSchema, type SchemaProblem } from '../actions/schema-check.ts';
import type { ConnectorsService } from '../connectors/connectors-service.ts';
import { createInputCheck, type InputCheck } from './input-check.ts';
import { inputsSchemaProblems } from './inputs-schema.ts';
import { callsLeadingTo } from './playbook-calls.ts';
import { type PlaybookCalls, publishedCalls, publishedInputs } from './playbooks-repository.ts';

/** Of all expressions of a playbook together: each is compiled whenever it is checked. */
const MAX_EXPRESSION_CHARS = 50_000;

export type ValidationDependencies = {
  actions: Pick<ActionCatalogue, 'find'>;
  connectors: Pick<ConnectorsService, 'exists'>;
  evaluator: Pick<ExpressionEvaluator, 'check' | 'reads' | 'split'>;
  /** What expressions may read of what started a run. */
  triggerFields: readonly string[];
  /** Those of these names who are members of the tenant. */
  approversAmong: (tx: Tx, scope: TenantScope, usernames: readonly string[]) => Promise<ReadonlySet<string>>;
};

export type Validated =
  | { readonly problems: readonly []; readonly definition: PlaybookDefinition }
  | { readonly problems: readonly PlaybookProblem[]; readonly definition?: undefined };

type Found = Omit<PlaybookProblem, 'action_id'>;
type Placed = { readonly action: PlaybookAction; readonly path: string };

export interface PlaybookValidation {
  /** `ownId`: of the playbook the definition is for, which it must not start, not through others either. */
  validate(tx: Tx, scope: TenantScope, draft: DraftDefinition, ownId: string | undefined): Promise<Validated>;
}

export function createPlaybookValidation(deps: ValidationDependencies): PlaybookValidation {
  const actionCheck = createInputCheck(compileSchema);
  const inputsCheck = createInputCheck(compileUserSchema);

  async function knownActions(tx: Tx, scope: TenantScope, placed: readonly Placed[]) {
    const known = new Map<string, ActionDefinition>();
    const names = new Set(placed.flatMap(({ action }) => (action.kind === 'action' ? [action.action] : [])));
    for (const name of names) {
      const found = await deps.actions.find(name, tx, scope);
      if (found) known.set(name, found);
    }
    return known;
  }

  async function connectorProblems(tx: Tx, scope: TenantScope, placed: readonly Placed[]): Promise<Found[]> {
    const checked = new Map<string, boolean>();
    const problems: Found[] = [];
    for (const { action, path } of placed) {
      if (action.kind !== 'action' || action.connector_id == null) continue;
      const wanted = { definitionId: action.action.split('.', 1)[0] ?? '', connectorId: action.connector_id };
      const key = `${wanted.definitionId} ${wanted.connectorId}`;
      const exists = checked.get(key) ?? (await deps.connectors.exists(tx, scope, wanted));
      checked.set(key, exists);
      if (exists) continue;
      const said = playbookTold('PLAYBOOK_CONNECTOR_UNKNOWN');
      problems.push({ path: `${path}.connector_id`, code: 'CONNECTOR_UNKNOWN', ...said });
    }
    return problems;
  }

  async function approverProblems(tx: Tx, scope: TenantScope, placed: readonly Placed[]): Promise<Found[]> {
    const named = placed.flatMap(({ action, path }) =>
      action.kind === 'prompt'
        ? (action.approvers?.usernames ?? []).map((name, at) => ({ name, path: `${path}.approvers.usernames.${at}` }))
        : [],
    );
    if (named.length === 0) return [];
    const approvers = await deps.approversAmong(tx, scope, [...new Set(named.map(({ name }) => name))]);
    return named.flatMap(({ name, path }) =>
      approvers.has(name)
        ? []
        : [{ path, code: 'APPROVER_UNKNOWN', ...playbookTold('PLAYBOOK_APPROVER_UNKNOWN', { name }) }],
    );
  }

  return {
    async validate(tx, scope, draft, ownId) {
      const parsed = playbookDefinitionSchema.safeParse(draft, inOurWords);
      const placed = draft.actions.flatMap((action, index): Placed[] => {
        const one = playbookActionSchema.safeParse(action);
        return one.success ? [{ action: one.data, path: `actions.${index}` }] : [];
      });
      const known = await knownActions(tx, scope, placed);
      const started = placed.flatMap(({ action }) => (action.kind === 'playbook' ? [action.playbook_id] : []));
      const published = started.length === 0 ? new Map<string, PlaybookCalls>() : await publishedCalls(tx, scope);
      const inputsOf = await publishedInputs(tx, scope, [...new Set(started)]);
      const meaning = validateDefinition(draft, {
        evaluator: deps.evaluator,
        actionExists: (name) => known.has(name),
        checkInput: (name, input) =>
          checked(known.get(name), (action) => actionCheck(action, action.input_schema), input),
        playbookExists: (id) => published.has(id),
        checkPlaybookInputs: (id, input) => checked(inputsOf.get(id), (schema) => inputsCheck(schema, schema), input),
        triggerFields: deps.triggerFields,
        extraFields: ['connector_id'],
        maxExpressionChars: MAX_EXPRESSION_CHARS,
        ...(ownId === undefined ? {} : { ownPlaybookId: ownId }),
      });
      const problems = distinct([
        ...meaning.map((problem) => ({ ...problem, path: problem.path.replaceAll(/\[(\d+)\]/g, '.$1') })),
        ...(parsed.error?.issues ?? []).flatMap(shapeProblems),
        ...inputsSchemaProblems(draft.inputs),
        ...(await connectorProblems(tx, scope, placed)),
        ...(await approverProblems(tx, scope, placed)),
        ...recursionProblems(placed, ownId, published),
      ]);
      if (parsed.success && problems.length === 0) return { problems: [], definition: parsed.data };
      return { problems: problems.slice(0, MAX_PROBLEMS).map((problem) => withAction(problem, draft)) };
    },
  };
}

function checked<T extends object>(
  known: T | undefined,
  checkFor: (known: T) => InputCheck,
  input: unknown,
): SchemaProblem[] {
  return known === undefined ? [] : checkFor(known)(input);
}

function recursionProblems(
  placed: readonly Placed[],
  ownId: string | undefined,
  published: ReadonlyMap<string, PlaybookCalls>,
): Found[] {
  if (ownId === undefined) return [];
  return placed.flatMap(({ action, path }) => {
    if (action.kind !== 'playbook' || action.playbook_id === ownId) return [];
    const way = callsLeadingTo(ownId, action.playbook_id, published);
    if (way === undefined) return [];
    const said = playbookTold('PLAYBOOK_STARTS_AGAIN', { way: way.join(' → ') });
    return [{ path: `${path}.playbook_id`, code: 'PLAYBOOK_RECURSIVE', ...said }];
  });
}

function shapeProblems(issue: z.core.$ZodIssue): Found[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, code: 'FIELD_INVALID', ...valueProblem(issue) }];
  return issue.keys.map((key) => ({
    path: path === '' ? key : `${path}.${key}`,
    code: 'FIELD_UNKNOWN',
    ...{ message: `There is no field "${key}" here.`, reason: 'PLAYBOOK_FIELD_UNKNOWN', values: { name: key } },
  }));
}

/** One mistake is told once: of several at the same place the first. */
function distinct(problems: readonly Found[]): Found[] {
  const places = new Set<string>();
  return problems.filter(({ path, code }) => {
    const place = code === 'FIELD_UNKNOWN' || code === 'FIELD_INVALID' ? path : `${path} ${code}`;
    const isNew = !places.has(place);
    places.add(place);
    return isNew;
  });
}

function withAction(problem: Found, draft: DraftDefinition): PlaybookProblem {
  const index = /^actions\.(\d+)/.exec(problem.path)?.[1];
  const id = index === undefined ? undefined : draft.actions[Number(index)]?.id;
  return { ...problem, action_id: typeof id === 'string' ? id : null };
}
