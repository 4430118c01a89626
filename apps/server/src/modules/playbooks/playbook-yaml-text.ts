import type { Told } from '@airdeck/contracts/filled-text';
import { type DraftDefinition, draftDefinitionSchema, type PlaybookProblem } from '@airdeck/contracts/playbooks/schema';
import { inOurWords, valueProblem } from '../../http/value-problems.ts';
import { readYaml, writeYaml, type YamlData } from './yaml-data.ts';

export type ReadPlaybook = {
  readonly definition: DraftDefinition | null;
  readonly problems: readonly PlaybookProblem[];
};

const MAX_PROBLEMS = 20;

/** Blocks while it works: for texts that are known to be short or harmless. */
export function readPlaybookYaml(text: string): ReadPlaybook {
  return asPlaybook(readYaml(text));
}

export function playbookYaml(definition: DraftDefinition): string {
  return writeYaml(inOrder(definition));
}

export function asPlaybook(data: YamlData): ReadPlaybook {
  if ('problems' in data) {
    return { definition: null, problems: data.problems.map((told) => problem('', 'YAML_INVALID', told)) };
  }
  const parsed = draftDefinitionSchema.safeParse(data.value, inOurWords);
  if (parsed.success) return { definition: parsed.data, problems: [] };
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => problem(issue.path.join('.'), 'FIELD_INVALID', valueProblem(issue)));
  return { definition: null, problems };
}

/** The parts as people read them. */
export function inOrder({ metadata, inputs, actions, outputs, exec_options }: DraftDefinition): DraftDefinition {
  return { metadata, inputs, actions, outputs, exec_options };
}

function problem(path: string, code: string, told: Told): PlaybookProblem {
  return { path, code, ...told, action_id: null };
}
