/** Spec §4: the account may take a moment to appear after sign-in. Delay grows from 0.5 s to 3 s, 30 s at most. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 3000;
const LIMIT_MS = 30_000;

type Deps = {
  wait: (milliseconds: number) => Promise<void>;
  now: () => number;
  random: () => number;
};

/** Asks until the answer is not undefined; undefined when it never came within 30 s. */
export async function waitForExternalId<T>(ask: () => Promise<T | undefined>, deps: Deps): Promise<T | undefined> {
  const end = deps.now() + LIMIT_MS;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 1.5, LONGEST_DELAY_MS)) {
    const found = await ask();
    if (found !== undefined) return found;
    // Up to a fifth more, so that many browsers do not ask in step.
    const jittered = delayMs * (1 + deps.random() * 0.2);
    if (deps.now() + jittered > end) return undefined;
    await deps.wait(jittered);
  }
}
