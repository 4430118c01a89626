import { connect } from 'node:net';

/** Sends lines over syslog TCP as `logger -T` or `nc` would, and resolves when all are handed over. */
export function sendSyslog(port: number, lines: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(`${lines.join('\n')}\n`));
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Lines of a password-guessing run that ends now: 13 failures of `guesser`, 3 of `bystander` in between, one good login.
 * Guessers are of 192.0.2.0/24: an address of 203.0.113.0/24, where the simulator's attackers live, may have an open case
 * of the demo's past already, which its events would join.
 */
export function guessingRun({ guesser, bystander }: { guesser: string; bystander: string }, now: Date): string[] {
  const lines: string[] = [];
  const add = (secondsAgo: number, message: string) => {
    const at = new Date(now.getTime() - secondsAgo * 1000);
    const day = String(at.getUTCDate()).padStart(2, ' ');
    const time = at.toISOString().slice(11, 19);
    lines.push(`${months[at.getUTCMonth()]} ${day} ${time} bastion sshd[4242]: ${message}`);
  };
  for (let guess = 0; guess < 13; guess++) {
    add(60 - guess * 4, `Failed password for root from ${guesser} port ${40_000 + guess} ssh2`);
    if (guess % 5 === 2)
      add(60 - guess * 4, `Failed password for invalid user admin from ${bystander} port 51000 ssh2`);
  }
  add(2, 'Accepted publickey for deploy from 192.0.2.15 port 50022 ssh2: ED25519 SHA256:synthetic');
  return lines;
}
