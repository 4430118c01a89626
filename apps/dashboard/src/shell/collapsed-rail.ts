const KEY = 'airdeck.rail';

/** Kept on this device: how wide the rail is. */
export function isRailCollapsed(storage: Pick<Storage, 'getItem'>): boolean {
  return storage.getItem(KEY) === 'collapsed';
}

export function keepRail(storage: Pick<Storage, 'setItem'>, isCollapsed: boolean): void {
  storage.setItem(KEY, isCollapsed ? 'collapsed' : 'open');
}
