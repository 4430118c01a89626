import { sshDisconnect, sshFailure } from '../events/sshd.ts';
import type { Scenario } from './scenario.ts';
import { attackerAddress, inOrder, moments, otherAddress } from './scenario.ts';

const NAME = 'ssh-password-guessing';
const guessedUsers = ['root', 'admin', 'ubuntu', 'oracle', 'test', 'postgres', 'git'] as const;
const WITHIN_MS = 55_000;

/** One address guesses 10 to 15 passwords within a minute; another one fails three times, which is no attack. */
export const sshPasswordGuessing: Scenario = {
  name: NAME,
  title: 'Password guessing over SSH',
  description: 'One address guesses passwords on a server within a minute; another one only mistypes.',

  play({ company, random, startAt }) {
    const attacker = attackerAddress(random);
    const bystander = otherAddress(random, attacker);
    const [bastion] = company.linuxServers;
    const guesses = moments(random, startAt, random.int(10, 15), WITHIN_MS).flatMap((time) => {
      const user = random.pick(guessedUsers);
      const attempt = { time, host: bastion, user, address: attacker, random };
      const failure = sshFailure({ ...attempt, knownUser: user === 'root' });
      return random.chance(0.3) ? [failure, sshDisconnect({ ...attempt, time: time + 1 })] : [failure];
    });
    const typos = moments(random, startAt + 5000, 3, WITHIN_MS - 10_000).map((time) =>
      sshFailure({
        time,
        host: bastion,
        user: random.pick(company.employees).account,
        knownUser: true,
        address: bystander,
        random,
      }),
    );
    return { attacker, records: inOrder(NAME, [...guesses, ...typos]) };
  },
};
