import type { PolicyPublication } from '@airdeck/contracts/policies/publication-schema';
import { policyId } from '../policy-fixtures.ts';

type Copy = NonNullable<PolicyPublication['copy']>;

/** A customer, without a copy unless something of one is given. */
export function publication(number: number, copy?: Partial<Copy>): PolicyPublication {
  return {
    tenant: policyId(9_000 + number),
    name: `Customer ${number}`,
    can_publish: true,
    copy:
      copy === undefined
        ? null
        : {
            ...{ policy_id: policyId(8_000 + number), enabled: true, overridden: false, is_current: true },
            ...{ published_version: 2, published_at: '2026-11-20T10:00:00.000Z' },
            ...copy,
          },
  };
}
