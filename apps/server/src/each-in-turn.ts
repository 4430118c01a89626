/** Does one after the other. One that fails keeps none of those behind it from their turn; what failed is thrown at the end. */
export async function eachInTurn(parts: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      failures.push(error);
    }
  }
  throwAll(failures);
}

/** As one error; nothing where there is none. */
export function throwAll(failures: readonly unknown[]): void {
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
}
