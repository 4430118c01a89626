export function requireNode(version?: string): void;
export function nodeProblem(version: string): string | undefined;
