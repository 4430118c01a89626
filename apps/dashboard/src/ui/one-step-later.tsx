import { type ReactNode, useDeferredValue } from 'react';

type Props = {
  children: ReactNode;
  /** What stands there until then. */
  meanwhile?: ReactNode;
};

/**
 * Draws what is large one step after what stands around it, and in pieces between which the browser answers to people. What
 * the router and queries tell is drawn in one go: a screen with a hundred rows would hold the page up for a fifth of a second.
 * Only the first time; from then on it changes with everything else.
 */
export function OneStepLater({ children, meanwhile = null }: Props) {
  return useDeferredValue(true, false) ? children : meanwhile;
}
