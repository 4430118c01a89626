import { beforeEach, describe, expect, it } from 'vitest';
import { createTokenMemory, type TokenMemory } from './token-memory.ts';

type Identity = { name: string; expiresAt: Date };

let at: number;
let memory: TokenMemory<Identity>;
beforeEach(() => {
  at = 0;
  memory = createTokenMemory<Identity>({ now: () => new Date(at) });
});

const anna = (endsMs = 3_600_000) => ({ name: 'Anna', expiresAt: new Date(endsMs) });

describe('what became of tokens', () => {
  it('is kept for a minute when they were right, and never beyond their end', () => {
    memory.keepRight('long', anna());
    memory.keepRight('short', anna(5_000));
    at = 4_999;
    expect([memory.find('long'), memory.find('short')]).toEqual([anna(), anna(5_000)]);
    at = 5_000;
    expect(memory.find('short')).toBeUndefined();
    at = 59_999;
    expect(memory.find('long')).toEqual(anna());
    at = 60_000;
    expect(memory.find('long')).toBeUndefined();
  });

  it('is kept for ten seconds when they were wrong, so that a mistake of ours ends', () => {
    memory.keepWrong('forged');
    at = 9_999;
    expect(memory.find('forged')).toBe('wrong');
    at = 10_000;
    expect(memory.find('forged')).toBeUndefined();
  });

  it('is bounded however many wrong ones come, and they drive no right one out', () => {
    memory.keepRight('mine', anna());
    for (let n = 0; n < 20_000; n++) memory.keepWrong(`forged ${n}`);
    expect(memory.sizes()).toEqual({ right: 1, wrong: 5_000 });
    expect(memory.find('mine')).toEqual(anna());
    expect([memory.find('forged 0'), memory.find('forged 19999')]).toEqual([undefined, 'wrong']);
  });

  it('is bounded for right ones too', () => {
    for (let n = 0; n < 12_000; n++) memory.keepRight(`token ${n}`, anna());
    expect(memory.sizes().right).toBe(10_000);
  });

  it('belongs to one token only, also when another was asked for in between', () => {
    memory.keepRight('mine', anna());
    expect(memory.find('other')).toBeUndefined();
    memory.keepWrong('other');
    expect([memory.find('mine'), memory.find('other'), memory.find('mine')]).toEqual([anna(), 'wrong', anna()]);
  });
});
