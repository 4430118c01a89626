/** What is wrong at one place of a form: `input.ip`. */
export type FieldProblem = { readonly field: string; readonly message: string };

/** Those of one field, or of anything below it. */
export function problemsAt<P extends FieldProblem>(problems: readonly P[], field: string): P[] {
  return problems.filter((problem) => problem.field === field || problem.field.startsWith(`${field}.`));
}
