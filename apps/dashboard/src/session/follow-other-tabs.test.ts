import { expect, test } from 'vitest';
import { followOtherTabs } from './follow-other-tabs.ts';

function tab(routes: string[]) {
  const done: string[] = [];
  let tell: (change: 'signed_in' | 'signed_out') => void = () => undefined;
  followOtherTabs({
    identity: {
      onChangedElsewhere: (listener) => {
        tell = listener;
        return () => undefined;
      },
    },
    shownRoutes: () => routes,
    leave: () => done.push('leave'),
    reload: () => done.push('reload'),
  });
  return { done, tell: (change: 'signed_in' | 'signed_out') => tell(change) };
}

test.each([
  [['__root__', '/_dashboard', '/_dashboard/home'], 'signed_out', ['leave']],
  [['__root__', '/_dashboard', '/_dashboard/home'], 'signed_in', ['reload']],
  [['__root__', '/onboarding'], 'signed_out', ['leave']],
  [['__root__', '/login'], 'signed_in', ['reload']],
  [['__root__', '/signup', '/signup/invite'], 'signed_in', []],
  [['__root__', '/forgot-password'], 'signed_out', []],
] as const)('%j when another tab %s', (routes, change, expected) => {
  const { done, tell } = tab([...routes]);
  tell(change);
  expect(done).toEqual(expected);
});
