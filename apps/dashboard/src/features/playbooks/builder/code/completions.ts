import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Known } from '../document/available-references.ts';

/** What the text offers at the cursor: the catalogue's actions behind `action:`. */
export function completionsOf(known: () => Known) {
  return (context: CompletionContext): CompletionResult | null => {
    const line = context.matchBefore(/^\s*(?:- )?action:\s*[\w.-]*$/);
    if (line === null) return null;
    const word = context.matchBefore(/[\w.-]*$/);
    return {
      from: word?.from ?? context.pos,
      options: [...known().actions.values()].map(
        ({ action_id, friendly_name }): Completion => ({ label: action_id, detail: friendly_name, type: 'constant' }),
      ),
      validFor: /^[\w.-]*$/,
    };
  };
}
