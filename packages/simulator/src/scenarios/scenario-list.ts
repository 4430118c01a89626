import { firewallDenyBurst } from './firewall-deny-burst.ts';
import { oktaPasswordSpray } from './okta-password-spray.ts';
import type { Scenario } from './scenario.ts';
import { sshPasswordGuessing } from './ssh-password-guessing.ts';

/** All scenarios; a new one is a file and a line here. */
export const scenarioList: readonly [Scenario, ...Scenario[]] = [
  sshPasswordGuessing,
  oktaPasswordSpray,
  firewallDenyBurst,
];

export function findScenario(name: string): Scenario | undefined {
  return scenarioList.find((scenario) => scenario.name === name);
}
