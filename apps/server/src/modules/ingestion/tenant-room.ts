/**
 * What each tenant may hold of the memory that all senders share: at most twice of what is still free. One alone gets two
 * thirds, two get two fifths each, and there is always room left for whoever holds nothing yet (dynamic thresholds, as
 * switches share their buffers: Choudhury and Hahne, 1998). Nothing has to be configured or to know who is there.
 */
import type { ByteBudget } from './byte-budget.ts';

const SHARE_OF_FREE = 2;

export type TenantRoom = Pick<ByteBudget, 'take' | 'hasRoom' | 'give'>;

export function createTenantRooms(budget: ByteBudget): { of(tenantId: string): TenantRoom } {
  const held = new Map<string, number>();

  function add(tenantId: string, bytes: number): void {
    const sum = (held.get(tenantId) ?? 0) + bytes;
    if (sum === 0) held.delete(tenantId);
    else held.set(tenantId, sum);
  }

  return {
    of(tenantId) {
      const hasRoom = (bytes: number, expected = 0) => {
        // As it will be once what is expected has come: else more is let in than there is room for, and refused in the middle.
        const own = (held.get(tenantId) ?? 0) + expected;
        // What is larger than any share is let in alone.
        const isWithinShare = own === 0 || own + bytes <= SHARE_OF_FREE * (budget.maxBytes - budget.used - expected);
        return isWithinShare && budget.hasRoom(bytes, expected);
      };
      return {
        hasRoom,
        take(bytes) {
          if (!hasRoom(bytes) || !budget.take(bytes)) return false;
          add(tenantId, bytes);
          return true;
        },
        give(bytes) {
          add(tenantId, -bytes);
          budget.give(bytes);
        },
      };
    },
  };
}
