import { auditVerbs } from '@airdeck/contracts/audit/actions';
import { kindWord } from './audit-words.ts';

/** What this release records. It is a help, not a limit: the rest can be typed, and what the list shows is offered too. */
const known = Object.entries(auditVerbs).flatMap(([noun, of]) => of.map((verb) => `${noun}.${verb}`));

type ActionGroup = { group: string; items: string[] };

/** Actions by noun, each noun beginning with all of its own (`user.`); `seen` are those of records that were loaded. */
export function actionChoices(seen: Iterable<string>): ActionGroup[] {
  const nouns = new Map<string, string[]>();
  for (const action of [...new Set([...known, ...seen])].toSorted()) {
    const noun = nounOf(action);
    nouns.set(noun, [...(nouns.get(noun) ?? []), action]);
  }
  return [...nouns].map(([noun, items]) => ({ group: kindWord(noun), items: [`${noun}.`, ...items] }));
}

/** Whether a choice stands for every action of its noun. */
export function isWholeNoun(choice: string): boolean {
  return choice.endsWith('.');
}

function nounOf(action: string): string {
  return action.split('.', 1)[0] ?? action;
}
