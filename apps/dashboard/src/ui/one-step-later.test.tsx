import { render } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { expect, test } from 'vitest';
import { OneStepLater } from './one-step-later.tsx';

test('what is large is drawn one step after what stands around it, and once', () => {
  const drawn: string[] = [];
  function Drawn({ name }: { name: string }) {
    useLayoutEffect(() => {
      drawn.push(name);
    }, [name]);
    return null;
  }
  const page = (
    <>
      <Drawn name="frame" />
      <OneStepLater meanwhile={<Drawn name="placeholder" />}>
        <Drawn name="screen" />
      </OneStepLater>
    </>
  );
  const { rerender } = render(page);
  expect(drawn).toEqual(['frame', 'placeholder', 'screen']);
  rerender(page);
  expect(drawn).toHaveLength(3);
});
