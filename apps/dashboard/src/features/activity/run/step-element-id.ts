/** Id of an action's element in the list of a run, where the graph leads to. */
export function stepElementId(actionId: string): string {
  return `action-${actionId}`;
}
