/**
 * The locally stored session (spec §3): current tenant, role, plan and owner flag. For display and for choosing what to
 * ask; the server decides what is allowed.
 */
import { parseRole, type Role } from '@airdeck/contracts/access/roles';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { BrowserStorage } from '../lib/browser-storage.ts';
import { toasts } from '../lib/toasts.ts';
import { PERSISTED_KEY } from '../lib/wipe-caches.ts';

export type Sku = { is_search_enabled: boolean; is_mdr_enabled: boolean; sku_info: SkuInfo };

export type Session = {
  readonly currentTenant: string;
  readonly currentRole: Role;
  readonly currentSKU: Sku;
  readonly isOwnerTenant: boolean;
};

export const SESSION_KEY = 'airdeck.session';

export type SessionStore = {
  get(): Session | undefined;
  /** The last session there was: screens still drawn while a sign-out runs must not lose theirs. */
  lastKnown(): Session | undefined;
  set(session: Session): void;
  clear(): void;
  /** Makes ours the one that a window opened from this one begins with; nothing where somebody has signed out meanwhile. */
  keep(): void;
  /** False once another tab of this browser works in another tenant, or has signed out: what is kept is not ours then. */
  isKept(): boolean;
  subscribe(listener: () => void): () => void;
};

/** @param ofWindow what another window cannot change: a page that is loaded again stays in the tenant it showed */
export function createSessionStore(storage: BrowserStorage, ofWindow: BrowserStorage): SessionStore {
  const kept = storage.getItem(SESSION_KEY);
  const shared = readSession(kept);
  // Tampered with, or of a release that kept something else.
  if (kept !== null && shared === undefined) storage.removeItem(SESSION_KEY);
  // Without the one of all windows somebody has signed out meanwhile.
  let session = shared && (readSession(ofWindow.getItem(SESSION_KEY)) ?? shared);
  let last = session;
  const listeners = new Set<() => void>();
  const write = (next: Session) => {
    const text = JSON.stringify(next);
    // With every field that gets the focus it is kept again, and every other window is told of what is written.
    for (const each of [storage, ofWindow]) if (each.getItem(SESSION_KEY) !== text) each.setItem(SESSION_KEY, text);
  };
  const change = (next: Session | undefined) => {
    session = next;
    last = next ?? last;
    // After a sign-out the page goes on: what is answered only then would be read by whoever signs in next.
    if (next === undefined) toasts.close();
    else toasts.open();
    for (const listener of listeners) listener();
  };
  return {
    get: () => session,
    lastKnown: () => last,
    set(next) {
      write(next);
      change(next);
    },
    clear() {
      for (const each of [storage, ofWindow]) each.removeItem(SESSION_KEY);
      change(undefined);
    },
    keep() {
      const ofAll = readSession(storage.getItem(SESSION_KEY));
      if (session === undefined || ofAll === undefined) return;
      // The answers that are kept beside it are the other tenant's.
      if (ofAll.currentTenant !== session.currentTenant) storage.removeItem(PERSISTED_KEY);
      write(session);
    },
    isKept: () =>
      session !== undefined && readSession(storage.getItem(SESSION_KEY))?.currentTenant === session.currentTenant,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Undefined for anything that is not a whole session: half of one would only fail later and further away. */
export function readSession(text: string | null): Session | undefined {
  if (text === null) return undefined;
  try {
    return sessionOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** @throws Error with the texts of spec §8 when something is missing */
export function sessionOf(value: unknown): Session {
  const given = isRecord(value) ? value : {};
  if (typeof given.currentTenant !== 'string') throw new Error('Tenant is not a string');
  const currentRole = typeof given.currentRole === 'string' ? parseRole(given.currentRole) : undefined;
  if (currentRole === undefined) throw new Error('Role is not set');
  if (!isSku(given.currentSKU)) throw new Error('SKU is not set');
  return {
    currentTenant: given.currentTenant,
    currentRole,
    currentSKU: given.currentSKU,
    isOwnerTenant: given.isOwnerTenant === true,
  };
}

function isSku(value: unknown): value is Sku {
  if (!isRecord(value) || !isRecord(value.sku_info)) return false;
  const { sku_info: info } = value;
  return (
    typeof value.is_search_enabled === 'boolean' &&
    typeof value.is_mdr_enabled === 'boolean' &&
    typeof info.sku_name === 'string' &&
    typeof info.is_search_enabled === 'boolean' &&
    typeof info.is_mdr_enabled === 'boolean' &&
    typeof info.retention_length_days === 'number' &&
    typeof info.search_length_days === 'number'
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
