import { AppError } from './http/app-error.ts';

/**
 * Questions of many callers, asked in one go: however many there are, they cost one question at a time.
 *
 * The first is asked at once; what comes while it is away is asked together when it is back, `most` at a time. More than
 * `waiting` at once are refused with OVERLOADED. One that fails fails those that were asked with it, and nobody else.
 */
export function createAskedTogether<Question, Answer>({
  ask,
  most,
  waiting,
}: {
  /** Answers in the order of the questions. */
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  most: number;
  waiting: number;
}): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; answer: (answer: Answer) => void; fail: (error: unknown) => void };
  let line: Waiting[] = [];
  let isAway = false;

  async function askAll(): Promise<void> {
    isAway = true;
    while (line.length > 0) {
      const asked = line.slice(0, most);
      line = line.slice(most);
      try {
        const answers = await ask(asked.map(({ question }) => question));
        for (const [at, { answer }] of asked.entries()) answer(answers[at] as Answer);
      } catch (error) {
        for (const { fail } of asked) fail(error);
      }
    }
    isAway = false;
  }

  return (question) => {
    if (line.length >= waiting) return Promise.reject(new AppError('OVERLOADED', { retryAfterS: 5 }));
    return new Promise((answer, fail) => {
      line.push({ question, answer, fail });
      if (!isAway) void askAll();
    });
  };
}
