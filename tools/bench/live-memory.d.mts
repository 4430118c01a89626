export function createLiveMemory(options?: { lookEveryMs?: number }): {
  environment: Record<string, string>;
  of(pids: readonly number[]): Promise<number>;
  remove(): void;
};
