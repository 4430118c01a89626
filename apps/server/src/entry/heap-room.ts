import { setFlagsFromString } from 'node:v8';

/**
 * From now on heaps may grow to twice of what lives in them before old objects are collected. Bodies of requests count as growth;
 * what is left of a start should not, so this is for a server that is ready. See docs/decisions/0025-room-before-the-heap-is-collected.md.
 */
export function leaveRoomInHeaps(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
