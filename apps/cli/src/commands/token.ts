import type { Command } from 'commander';
import { inputError } from '../command-error.ts';
import { readDemoWorkspace } from '../demo-workspace.ts';
import { assertStageLocal } from '../local-stage.ts';
import { signIn } from '../sign-in.ts';
import type { Surroundings } from '../surroundings.ts';

export function addToken(program: Command, surroundings: Surroundings): void {
  program
    .command('token')
    .description('sign a demo user in and print a bearer token for scripts (stage local only)')
    .requiredOption('--email <user>', 'e-mail address of a demo user')
    .option('--json', 'answer { email, token } as JSON')
    .action(async (options: { email: string; json?: true }) => {
      const workspace = await readDemoWorkspace(surroundings.env);
      const user = workspace.users.find(({ email }) => email.toLowerCase() === options.email.toLowerCase());
      if (user === undefined) {
        const known = workspace.users.map(({ email }) => email).join(', ');
        throw inputError('USER_UNKNOWN', `There is no demo user "${options.email}"; there is ${known}.`);
      }
      await assertStageLocal(surroundings, workspace.url);
      const token = await signIn(surroundings, workspace.url, user);
      surroundings.result(options.json ? JSON.stringify({ email: user.email, token }) : token);
    });
}
