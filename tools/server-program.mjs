// `node tools/server-program.mjs <name> [its arguments]`: one of the server's programs, built first if that is stale.
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './run/build-if-stale.mjs';
import { inRoot } from './run/root.mjs';

const [node, , name, ...rest] = process.argv;
// The words of a build go to stderr: what the program prints may be for another one.
if (!buildIfStale(['server'], process.stderr)) process.exit(1);
const program = inRoot('apps/server/dist', `${name}.mjs`);
process.argv = [node, program, ...rest];
await import(pathToFileURL(program).href);
