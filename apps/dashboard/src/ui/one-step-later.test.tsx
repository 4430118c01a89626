import { render } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { expect, test } from 'vitest';
import { OneStepLater } from './one-step-later.tsx';

function Drawn({ name, note }: { name: string; note: (name: string) => void }) {
  useLayoutEffect(() => note(name), [name, note]);
  return null;
}

test('what is large is drawn one step after what stands around it, and once', () => {
  const drawn: string[] = [];
  const note = (name: string) => void drawn.push(name);
  const page = (
    <>
      <Drawn name="frame" note={note} />
      <OneStepLater meanwhile={<Drawn name="placeholder" note={note} />}>
        <Drawn name="screen" note={note} />
      </OneStepLater>
    </>
  );
  const { rerender } = render(page);
  expect(drawn).toEqual(['frame', 'placeholder', 'screen']);
  rerender(page);
  expect(drawn).toHaveLength(3);
});
