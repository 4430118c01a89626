/** One thing that was looked at. The message says what is wrong and what to do, or what was found in order. */
export type Finding = { readonly name: string; readonly ok: boolean; readonly message: string };

/** A finding from a problem, if there is one. */
export function found(name: string, problem: string | undefined, inOrder: string): Finding {
  return problem === undefined ? { name, ok: true, message: inOrder } : { name, ok: false, message: problem };
}
