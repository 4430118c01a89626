export function sourcePositions(root: string): (text: string) => string;
