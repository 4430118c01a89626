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
    async run() {
      const failures: unknown[] = [];
      for (const step of steps.splice(0).reverse()) {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 1) throw new AggregateError(failures, 'Several parts could not be stopped.');
      if (failures.length === 1) throw failures[0];
    },
  };
}
