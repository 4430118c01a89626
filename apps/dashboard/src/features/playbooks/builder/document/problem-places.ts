import { ApiError } from '@airdeck/api-client/api-error';
import type { PlaybookProblem } from '@airdeck/contracts/playbooks/schema';
import { known, told } from '../../../../language/translate.ts';
import type { BuilderDefinition } from './builder-action.ts';

/** A problem where the builder can show it. */
export type PlacedProblem = {
  /** The action it belongs to; undefined for the playbook itself. */
  readonly actionId: string | undefined;
  /** Below the action, or from the top of the definition: `input.ip`, `exec_options.timeout_s`. */
  readonly field: string;
  readonly message: string;
};

/** What the server found, placed. It counts actions; the definition may have moved on since, so it names them too. */
export function placeProblems(problems: readonly PlaybookProblem[], definition: BuilderDefinition): PlacedProblem[] {
  return problems.map(({ path, action_id, ...problem }) => {
    const message = told(problem);
    const parts = partsOf(path);
    if (parts[0] !== 'actions') return { actionId: undefined, field: parts.join('.'), message };
    const named = definition.actions.find(({ id }) => id === action_id);
    const actionId = named?.id ?? definition.actions[Number(parts[1])]?.id;
    return { actionId, field: parts.slice(2).join('.'), message };
  });
}

/**
 * Problems of a definition the server could not even take: it has too much of something, or is no definition. Undefined for any
 * other failure, which says nothing about it.
 */
export function problemsOfRefusal(error: unknown): PlaybookProblem[] | undefined {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 413)) return undefined;
  const whole = { path: 'body.definition', message: known(error.message) };
  const details = error.details.length === 0 ? [whole] : error.details;
  return details.map(({ path, message }) => ({
    path: path.replace(/^body\.(?:definition\.?)?/, ''),
    code: error.code,
    message,
    action_id: null,
  }));
}

/** `actions[2].input.ip` and `actions.2.input.ip` are the same path. */
export function partsOf(path: string): string[] {
  return path
    .replaceAll(/\[(?:"([^"]*)"|'([^']*)'|([^\]]*))\]/g, (_, double, single, plain) => `.${double ?? single ?? plain}`)
    .split('.')
    .filter((part) => part !== '');
}

/** What is said twice is shown once, and what the browser saw itself is not said again in the server's words. */
export function mergedProblems(own: readonly PlacedProblem[], found: readonly PlacedProblem[]): PlacedProblem[] {
  const places = new Set(own.map(placeOf));
  const seen = new Set<string>();
  return [...own, ...found.filter((problem) => !places.has(placeOf(problem)))].filter((problem) => {
    const key = `${placeOf(problem)} ${problem.message}`;
    return !seen.has(key) && seen.add(key);
  });
}

function placeOf({ actionId, field }: PlacedProblem): string {
  return `${actionId ?? ''}|${field}`;
}
