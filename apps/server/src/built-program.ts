/**
 * A program or thread of the server that runs beside it, as the build leaves it (`tools/run/build-server.mjs`): beside the
 * server's own file in a build. From the sources it is the built one as well, which `npm run dev`, the tests and the benches
 * see to first: the loader of the sources takes one to three seconds for what a thread needs.
 */
export function builtProgram(name: string): URL {
  const fromSource = import.meta.url.endsWith('.ts');
  return new URL(`${fromSource ? '../dist' : '.'}/${name}.mjs`, import.meta.url);
}
