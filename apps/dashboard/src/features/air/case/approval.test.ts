import { describe, expect, it } from 'vitest';
import { approvalRefusal } from './approval.ts';

const ana = { role: 'Analyst', username: 'ana@example.com' } as const;

describe('why a question may not be answered', () => {
  it('is nothing when nobody is excluded', () => {
    expect(approvalRefusal({}, ana)).toBeUndefined();
    expect(approvalRefusal({ role: 'ReadOnly', usernames: [ana.username] }, ana)).toBeUndefined();
  });

  it('names the role or the people who may', () => {
    expect(approvalRefusal({ role: 'SystemManager' }, ana)).toBe('Only System Manager and above may answer.');
    expect(approvalRefusal({ usernames: ['tom@example.com'] }, ana)).toBe('Only tom@example.com may answer.');
  });
});
