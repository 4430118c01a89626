import type { Command } from 'commander';
import { runTool } from '../tool.ts';

export function addDoctor(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('doctor')
    .description('list every problem of configuration, data folder, keys, certificates, ports and stores')
    .option('--json', 'answer { ok, checks } as JSON')
    .action(async (options: { json?: true }) => {
      setExitCode(await runTool('doctor/main.ts', options.json ? ['--json'] : []));
    });
}
