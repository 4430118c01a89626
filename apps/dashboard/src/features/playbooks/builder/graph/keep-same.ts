import { sameJson } from '../document/json.ts';

/**
 * Gives parts anew as the very objects they were the time before where nothing in them changed, and the very list where
 * no part did: what draws them then has nothing to do. Functions in them do not count; they must stay the same ones.
 */
export function createKeeper<Part extends { readonly id: string }>(): (parts: Part[]) => Part[] {
  let before: Part[] = [];
  let byId = new Map<string, Part>();
  return (parts) => {
    const kept = parts.map((part) => {
      const known = byId.get(part.id);
      return known !== undefined && sameJson(known, part) ? known : part;
    });
    if (kept.length === before.length && kept.every((part, index) => part === before[index])) return before;
    before = kept;
    byId = new Map(kept.map((part) => [part.id, part]));
    return kept;
  };
}
