import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import type { NewRuleSearch } from './graylog-search.ts';
import type { ResponseDraft } from './rule-draft.ts';

type GivenResponse = Partial<Pick<ResponseDraft, 'type' | 'definitionId' | 'unknownTitle'>>;
type Listed = readonly { id: string; metadata: Pick<Playbook['metadata'], 'name'> }[];

/** One for each thing an address names, in the order in which it starts; `playbooks` are undefined where they cannot be read. */
export function givenResponses(
  { playbook_title: title, action_name: action }: NewRuleSearch,
  playbooks: Listed | undefined,
): GivenResponse[] {
  return [
    ...(title === undefined ? [] : [playbookCalled(title, playbooks)]),
    ...(action === undefined ? [] : [{ type: 'action', definitionId: action } as const]),
  ];
}

function playbookCalled(title: string, playbooks: Listed | undefined): GivenResponse {
  if (playbooks === undefined) return {};
  const found = playbooks.find(({ metadata }) => metadata.name === title);
  return found === undefined ? { unknownTitle: title } : { definitionId: found.id };
}
