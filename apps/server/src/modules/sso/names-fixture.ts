/** Name servers for tests: TXT records by name, and names nobody answers for. */
import type { ResolveTxt } from './domain-records.ts';

export type Names = {
  resolveTxt: ResolveTxt;
  /** Texts of a name; each may come in pieces. */
  records: Map<string, readonly (readonly string[])[]>;
  /** Codes of `node:dns` that asking for a name throws. */
  failures: Map<string, string>;
  /** Every name that was asked for, in order. */
  asked: string[];
};

export function createNames(): Names {
  const names: Names = {
    records: new Map(),
    failures: new Map(),
    asked: [],
    async resolveTxt(name) {
      names.asked.push(name);
      const found = names.records.get(name);
      if (found !== undefined) return found;
      const code = names.failures.get(name) ?? 'ENOTFOUND';
      throw Object.assign(new Error(`queryTxt ${code} ${name} at 192.0.2.53`), { code });
    },
  };
  return names;
}
