import { eachInTurn } from '../each-in-turn.ts';

export type StopList = {
  add(step: () => Promise<void> | void): void;
  /** Runs the steps once, last first. A step that fails does not keep the others from running; its error is thrown after. */
  run(): Promise<void>;
};

/** What was started and has to be stopped again. */
export function createStopList(): StopList {
  const steps: (() => Promise<void> | void)[] = [];
  return {
    add(step) {
      steps.push(step);
    },
    run: () => eachInTurn(steps.splice(0).reverse()),
  };
}
