/**
 * Ends the import of one rule. `failed`: the rule is wrong as it is written. `skipped`: it is sound, and asks for
 * something this product cannot do.
 */
export class SigmaProblem extends Error {
  override readonly name = 'SigmaProblem';
  readonly status: 'failed' | 'skipped';

  constructor(status: 'failed' | 'skipped', reason: string) {
    super(reason);
    this.status = status;
  }
}

export function failed(reason: string): SigmaProblem {
  return new SigmaProblem('failed', reason);
}

export function skipped(reason: string): SigmaProblem {
  return new SigmaProblem('skipped', reason);
}
