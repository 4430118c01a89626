// `node tools/stack.mjs < log`: the same text with the places of the sources in every stack. Needs a build of the release that
// wrote it. The server does not do this itself: see docs/decisions/0024-stacks-are-read-afterwards.md.
import { createInterface } from 'node:readline';
import { root } from './run/root.mjs';
import { sourcePositions } from './run/source-positions.mjs';

const withSources = sourcePositions(root);
for await (const line of createInterface({ input: process.stdin })) console.log(withSources(line));
