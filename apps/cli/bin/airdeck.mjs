#!/usr/bin/env node
// The command runs from its TypeScript sources, so that it works right after an install and never lags behind a build.
// `start` alone goes straight to the product: the loader of the sources would stay in the server's memory.
const [command, ...rest] = process.argv.slice(2);

if (command === 'start' && rest.length === 0) {
  await import('../../../tools/start.mjs');
} else {
  const { register } = await import('tsx/esm/api');
  register();
  const { runCommand } = await import('../src/main.ts');
  process.exitCode = await runCommand(process.argv.slice(2));
}
