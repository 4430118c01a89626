import { describe, expect, it } from 'vitest';
import { createSearchSlots } from './search-slots.ts';

const signal = new AbortController().signal;

/** Searches that run until they are told to end, in the order in which they began. */
function stand(bounds = { perTenant: 2, overPace: 1, inAll: 3, waitingPerTenant: 3 }) {
  const overPace = new Set<string>();
  const slots = createSearchSlots((tenant) => overPace.has(tenant), bounds);
  const running: { name: string; end: () => void }[] = [];
  const begun: string[] = [];
  function search(tenant: string, name: string, from: AbortSignal = signal): Promise<string> {
    return slots.run(tenant, from, () => {
      begun.push(name);
      return new Promise((resolve) => running.push({ name, end: () => resolve(name) }));
    });
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    slots,
    overPace,
    begun,
    search,
    settle,
    async end(name: string) {
      running.find((one) => one.name === name)?.end();
      await settle();
    },
  };
}

describe('searches at once', () => {
  it('are fewer of a tenant that calls more than its pace allows', async () => {
    const { search, begun, end, settle, overPace } = stand();
    overPace.add('a');
    const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => search(name[0] ?? '', name));
    await settle();
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    overPace.delete('a');
    await end('b1');
    expect(begun.slice(3)).toEqual(['a2']);
    for (const name of ['a1', 'a2', 'b2', 'a3']) await end(name);
    await Promise.all(all);
  });

  it('are bounded per tenant and in all; who waits gets the next free slot, tenants in turn', async () => {
    const { search, begun, end, settle } = stand();
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => search(name[0] ?? '', name));
    await settle();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(begun.slice(3)).toEqual(['b2']);
    await end('a2');
    expect(begun.slice(4)).toEqual(['a3']);
    for (const name of ['b1', 'a3', 'b2', 'a4']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  });

  it('beyond the line are refused at once, and only those of that tenant', async () => {
    const { search, begun, settle } = stand();
    for (let n = 0; n < 5; n++) void search('a', `a${n}`);
    await settle();
    await expect(search('a', 'too many')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterS: expect.any(Number),
    });
    void search('b', 'b1');
    await settle();
    expect(begun).toContain('b1');
  });

  it('leave the line when their client goes away, and hold no slot afterwards', async () => {
    const { search, begun, end, settle } = stand({ perTenant: 1, overPace: 1, inAll: 1, waitingPerTenant: 3 });
    void search('a', 'first');
    const gone = new AbortController();
    const waiting = search('a', 'gone', gone.signal);
    const after = search('a', 'after');
    await settle();
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await end('first');
    expect(begun).toEqual(['first', 'after']);
    await end('after');
    expect(await after).toBe('after');
  });

  it('give their slot back when they fail', async () => {
    const { slots } = stand({ perTenant: 1, overPace: 1, inAll: 1, waitingPerTenant: 0 });
    for (let n = 0; n < 50; n++) {
      const failing = slots.run('a', signal, () => Promise.reject(new Error('store')));
      await expect(failing).rejects.toThrow('store');
    }
    expect(await slots.run('a', signal, async () => 'fine')).toBe('fine');
  });
});
