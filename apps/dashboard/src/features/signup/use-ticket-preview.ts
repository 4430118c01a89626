import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../session/app-context.ts';

/** What an invitation says. Asked once; a refusal stays one. */
export function useTicketPreview(ticket: string | undefined) {
  const { identity } = useApp();
  return useQuery({
    queryKey: ['invitation', ticket ?? ''],
    queryFn: async () => (await identity.account()).previewTicket(ticket ?? ''),
    enabled: ticket !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}
