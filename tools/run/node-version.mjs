// Plain syntax only: this file must load on the old Node versions it turns away.

const MINIMUM = [20, 19];

/** Ends the process with one sentence when Node is older than what the packages need. */
export function requireNode(version = process.versions.node) {
  const problem = nodeProblem(version);
  if (problem === undefined) return;
  console.error(problem);
  process.exit(1);
}

/** Undefined when this version will do. */
export function nodeProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return undefined;
  return `AIRdeck needs Node ${MINIMUM.join('.')} or newer; this is ${version}. Install a newer Node from https://nodejs.org and try again.`;
}
