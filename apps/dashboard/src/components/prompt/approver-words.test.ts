import { describe, expect, it } from 'vitest';
import { approverWords } from './approver-words.ts';

describe('who may answer a question', () => {
  it('is an Analyst where the playbook says nothing', () => {
    expect(approverWords({})).toBe('Analyst and above');
  });

  it('is a role and all above it, and nobody is above an Admin', () => {
    expect(approverWords({ role: 'SystemManager' })).toBe('System Manager and above');
    expect(approverWords({ role: 'Admin' })).toBe('Admin');
  });

  it('is only the people named, unless a role is named too', () => {
    expect(approverWords({ usernames: ['tom@example.com'] })).toBe('tom@example.com');
    expect(approverWords({ role: 'Admin', usernames: ['tom@example.com'] })).toBe('Admin, tom@example.com');
  });
});
