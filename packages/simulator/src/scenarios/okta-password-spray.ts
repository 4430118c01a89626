import { oktaSignIn } from '../events/okta.ts';
import type { Scenario } from './scenario.ts';
import { attackerAddress, inOrder, moments } from './scenario.ts';

const NAME = 'okta-password-spray';
const WITHIN_MS = 110_000;

/** One address tries one password on every account: few failures per person, many persons per address. */
export const oktaPasswordSpray: Scenario = {
  name: NAME,
  title: 'Password spray against Okta',
  description: 'One address tries the same password on every account within two minutes.',

  play({ company, random, startAt }) {
    const attacker = attackerAddress(random);
    const times = moments(random, startAt, company.employees.length, WITHIN_MS);
    const records = company.employees.map((employee, index) =>
      oktaSignIn({
        time: times[index] ?? startAt,
        random,
        employee,
        address: attacker,
        result: 'FAILURE',
        reason: 'INVALID_CREDENTIALS',
        userAgent: 'python-requests/2.32.0',
      }),
    );
    return { attacker, records: inOrder(NAME, records) };
  },
};
