import type { DraftDefinition } from '@airdeck/contracts/playbooks/schema';
import type { QueryClient } from '@tanstack/react-query';

const key = ['playbook-import'];

/** Keeps what another screen read from a file for `/playbooks/new?from=import`; in memory, gone with a reload. */
export function handOverImport(queryClient: QueryClient, definition: DraftDefinition): void {
  queryClient.setQueryData<DraftDefinition>(key, definition);
}

export function importHandedOver(queryClient: QueryClient): DraftDefinition | undefined {
  return queryClient.getQueryData<DraftDefinition>(key);
}
