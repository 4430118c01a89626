/**
 * Bytes that senders have announced (Content-Length) and not sent yet. They count against what else the same tenant
 * announces, so that of many bodies at once those without room are refused before they are read, and not in the middle.
 * Against others they do not count: whoever announces and sends nothing would keep them out.
 */
import type { TenantRoom } from './tenant-room.ts';

/** A body that takes longer than this keeps no place for what is still missing. */
const KEPT_MS = 2_000;

export type Announcement = {
  arrived(bytes: number): void;
  /** To be called once, however the body ended. */
  end(): void;
};

export type AnnouncedBodies = {
  /** Undefined when there is no room for it beside what is held and what the tenant announced before. */
  announce(tenantId: string, bytes: number): Announcement | undefined;
  /** Bodies announced and not ended. */
  readonly open: number;
};

export function createAnnouncedBodies(deps: {
  roomOf: (tenantId: string) => Pick<TenantRoom, 'hasRoom'>;
  /** For tests. */
  keptMs?: number | undefined;
}): AnnouncedBodies {
  const { roomOf, keptMs = KEPT_MS } = deps;
  const missing = new Map<string, number>();
  let open = 0;

  function add(tenantId: string, bytes: number): void {
    const sum = (missing.get(tenantId) ?? 0) + bytes;
    if (sum === 0) missing.delete(tenantId);
    else missing.set(tenantId, sum);
  }

  return {
    announce(tenantId, bytes) {
      if (!roomOf(tenantId).hasRoom(bytes, missing.get(tenantId))) return undefined;
      let left = bytes;
      open++;
      const leave = (gone: number) => {
        left -= gone;
        add(tenantId, -gone);
      };
      add(tenantId, bytes);
      const lapse = setTimeout(() => leave(left), keptMs).unref();
      return {
        arrived: (arrived) => leave(Math.min(arrived, left)),
        end() {
          clearTimeout(lapse);
          leave(left);
          open--;
        },
      };
    },
    get open() {
      return open;
    },
  };
}
