/**
 * In whose name the egress calls an address that a person has entered: no tenant's. Networks that an Admin opened are for
 * connectors; a member of the lowest role would reach them otherwise, and a provider's person those of every customer.
 */
export function inNameOf(userId: string): string {
  return `person:${userId}`;
}
