import { expect, it } from 'vitest';
import { createStopList } from './stop-list.ts';

it('stops the last first, and each once', async () => {
  const stopped: string[] = [];
  const list = createStopList();
  list.add(() => void stopped.push('store'));
  list.add(async () => void stopped.push('server'));
  await list.run();
  await list.run();
  expect(stopped).toEqual(['server', 'store']);
});

it('stops the stores also when the server cannot be stopped, and says why', async () => {
  const stopped: string[] = [];
  const list = createStopList();
  list.add(() => void stopped.push('store'));
  list.add(() => Promise.reject(new Error('connection lost')));
  await expect(list.run()).rejects.toThrow('connection lost');
  expect(stopped).toEqual(['store']);
});
