import { expect, it } from 'vitest';
import { createAskedTogether } from './asked-together.ts';

/** Questions of which the test says when they are back. */
function create({ most = 3, waiting = 5 } = {}) {
  const rounds: { questions: readonly number[]; back: (fails?: Error) => void }[] = [];
  const ask = createAskedTogether<number, string>({
    ask: (questions) =>
      new Promise((resolve, reject) => {
        const back = (fails?: Error) =>
          fails === undefined ? resolve(questions.map((one) => `answer ${one}`)) : reject(fails);
        rounds.push({ questions, back });
      }),
    most,
    waiting,
  });
  return { ask, rounds, asked: () => rounds.map(({ questions }) => questions) };
}

it('asks the first at once and what comes meanwhile together, so many at a time', async () => {
  const { ask, rounds, asked } = create();
  const answers = [1, 2, 3, 4, 5].map(ask);
  expect(asked()).toEqual([[1]]);
  rounds[0]?.back();
  await answers[0];
  expect(asked()).toEqual([[1], [2, 3, 4]]);
  rounds[1]?.back();
  await answers[3];
  rounds[2]?.back();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5].map((n) => `answer ${n}`));
  expect(asked()).toEqual([[1], [2, 3, 4], [5]]);
  const again = ask(6);
  rounds[3]?.back();
  expect(await again).toBe('answer 6');
});

it('refuses what is too much instead of letting it pile up', async () => {
  const { ask, rounds } = create({ waiting: 2 });
  const first = [1, 2, 3].map(ask);
  await expect(ask(4)).rejects.toMatchObject({ code: 'OVERLOADED' });
  rounds[0]?.back();
  await first[0];
  rounds[1]?.back();
  expect(await Promise.all(first)).toHaveLength(3);
});

it('fails those that were asked with what failed, and goes on', async () => {
  const { ask, rounds } = create();
  const [first, second] = [ask(1), ask(2)];
  const failed = expect(first).rejects.toThrow('store is away');
  rounds[0]?.back(new Error('store is away'));
  await failed;
  rounds[1]?.back();
  expect(await second).toBe('answer 2');
});
