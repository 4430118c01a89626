import { expect, test } from 'vitest';
import { presentError } from './error-presentation.ts';

test('code that could not be fetched is a lost connection; another TypeError is not', () => {
  const lost = new TypeError('Failed to fetch');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: lost }));
  expect(presentError(lost)).toMatchObject({ category: 'network', text: 'The server cannot be reached.' });
  expect(presentError(new TypeError('Failed to fetch'))).toMatchObject({ category: 'unknown' });
});
