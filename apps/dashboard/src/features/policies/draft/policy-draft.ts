import type { PolicyLogic, PolicyRule } from '@airdeck/contracts/policies/schema';
import { criteriaOf, fieldsOf, type GroupNode, newField, newGroup, treeOf } from '../criteria/criteria-tree.ts';
import { newSequence, type SequenceDraft, sequenceDraftOf, sequenceOf } from './sequence-draft.ts';

export type SourceChoice = { connector_definition_id: string; event_type: string };

/** A policy while it is edited: criteria as a tree with ids, everything else as it is stored. */
export type PolicyDraft = Omit<PolicyRule, 'logic'> & {
  readonly logic: Omit<PolicyLogic, 'filter_criteria' | 'sequence'> & { readonly sequence?: SequenceDraft };
  readonly criteria: GroupNode;
};

export function draftOf(rule: PolicyRule): PolicyDraft {
  const { logic, ...rest } = rule;
  const { filter_criteria, sequence, ...counting } = logic;
  return {
    ...rest,
    logic: { ...counting, ...(sequence === undefined ? {} : { sequence: sequenceDraftOf(sequence) }) },
    criteria: treeOf(filter_criteria),
  };
}

/** What the draft stands for, as it is stored. */
export function ruleOf({ logic, criteria, techniques, ...rest }: PolicyDraft): PolicyRule {
  const { sequence, ...counting } = logic;
  return {
    ...rest,
    name: rest.name.trim(),
    ...(techniques === undefined || techniques.length === 0 ? {} : { techniques }),
    logic: {
      ...counting,
      filter_criteria: criteriaOf(criteria),
      ...(sequence === undefined ? {} : { sequence: sequenceOf(sequence) }),
    },
  };
}

/** What a value that was seen in an event begins a policy with. */
export type FirstCriterion = { readonly field: string; readonly value: string; readonly source: SourceChoice };

export function blankDraft(first?: FirstCriterion): PolicyDraft {
  return {
    name: '',
    description: '',
    type: 'custom',
    severity: 'medium',
    logic: {
      rule_type: 'filter_and_group',
      group_by: [],
      source: { source_type: 'log', connector_definition_id: '', event_type: '', ...first?.source },
    },
    criteria: newGroup('all', [first === undefined ? newField() : newField(first.field, first.value)]),
  };
}

/** A copy under another name; a rule written elsewhere stays the work of its author. */
export function copyOf(rule: PolicyRule): PolicyRule {
  return { ...rule, name: `${rule.name.slice(0, 193)} (copy)` };
}

/** Waits for steps: what it looked for is the first of them, and nothing is asked of all of them yet. */
export function withSequence({ logic, criteria }: PolicyDraft): Pick<PolicyDraft, 'logic' | 'criteria'> {
  const { threshold: _none, ...counting } = logic;
  return { logic: { ...counting, sequence: newSequence(criteria) }, criteria: newGroup('all', []) };
}

/** The other way: it looks for the first step, unless something was asked of all of them. */
export function withoutSequence({ logic, criteria }: PolicyDraft): Pick<PolicyDraft, 'logic' | 'criteria'> {
  const { sequence, ...counting } = logic;
  const first = sequence?.steps[0]?.criteria;
  return { logic: counting, criteria: fieldsOf(criteria).length === 0 && first !== undefined ? first : criteria };
}

/** All sources, the first among them. */
export function sourcesOf({ source }: Pick<PolicyLogic, 'source'>): SourceChoice[] {
  const { connector_definition_id, event_type, also = [] } = source;
  return [{ connector_definition_id, event_type }, ...also];
}

export function sourceOf([first, ...others]: readonly SourceChoice[]): PolicyLogic['source'] {
  return {
    source_type: 'log',
    ...(first ?? { connector_definition_id: '', event_type: '' }),
    ...(others.length === 0 ? {} : { also: others }),
  };
}

/** Whether two rules say the same, however their keys are ordered. */
export function isSameRule(one: PolicyRule, other: PolicyRule): boolean {
  return ordered(one) === ordered(other);
}

/** JSON with sorted keys. */
function ordered(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** The rule as text, in the order a person reads it: what it is, what it looks for, where it comes from. */
export function ruleText({ name, description, type, severity, techniques, logic, origin }: PolicyRule): string {
  const { rule_type, source, filter_criteria, group_by, threshold, sequence, suppress_for_s } = logic;
  return JSON.stringify(
    {
      name,
      description,
      type,
      severity,
      techniques,
      logic: { rule_type, source, filter_criteria, group_by, threshold, sequence, suppress_for_s },
      origin,
    },
    null,
    2,
  );
}
