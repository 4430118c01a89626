import { describe, expect, it } from 'vitest';
import { nodeProblem } from './node-version.mjs';

describe('the Node version', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.3'])('%s is new enough', (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });

  it.each(['20.18.3', '18.20.8', '16.0.0'])('%s is turned away with a sentence that says what to do', (version) => {
    expect(nodeProblem(version)).toContain(`this is ${version}. Install`);
  });
});
