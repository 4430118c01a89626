import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, posix } from 'node:path';

/** `…/apps/server/dist/main.mjs:133:4567`, as Node.js writes it into a stack, wherever the program lay. */
const PLACE = /(?:file:\/\/)?[^\s()"'\\]*\/(apps\/server\/dist)\/([\w-]+\.mjs):(\d+):(\d+)/g;

/** Returns a function that puts the places of the sources into a text. Places that no map below `root` knows are left as they are. */
export function sourcePositions(root) {
  const maps = new Map();
  const mapOf = (path) => {
    const file = join(root, `${path}.map`);
    if (!maps.has(path))
      maps.set(path, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
    return maps.get(path);
  };
  return (text) =>
    text.replace(PLACE, (place, folder, name, line, column) => {
      const { originalSource, originalLine, originalColumn } =
        mapOf(`${folder}/${name}`)?.findEntry(Number(line) - 1, Number(column) - 1) ?? {};
      if (originalSource === undefined) return place;
      return `${posix.join(folder, originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
    });
}
