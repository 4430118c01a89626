import type { BuilderAction } from '../document/builder-action.ts';

// Of a drag only its kind may be read before the drop, and both ends are on this page: the step itself stays here.
let dragged: BuilderAction | undefined;

export function dragStep(action: BuilderAction | undefined): void {
  dragged = action;
}

/** What is dropped, once. */
export function takeDragged(): BuilderAction | undefined {
  const taken = dragged;
  dragged = undefined;
  return taken;
}
