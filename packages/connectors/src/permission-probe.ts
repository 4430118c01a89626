import { VendorError } from '@airdeck/connector-kit/vendor-error';

/**
 * Tries what several permissions allow, for tests of connections: good credentials with half of the permissions are not a
 * failure. Gives what is allowed by name. Throws what the vendor says when nothing is, and any other failure at once.
 */
export async function probePermissions<Name extends string>(
  probes: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Readonly<Record<Name, boolean>>> {
  const allowed: [string, boolean][] = [];
  let refusal: VendorError | undefined;
  for (const [name, probe] of Object.entries<() => Promise<unknown>>(probes)) {
    try {
      await probe();
      allowed.push([name, true]);
    } catch (error) {
      if (!(error instanceof VendorError) || error.code !== 'VENDOR_PERMISSION_MISSING') throw error;
      refusal = error;
      allowed.push([name, false]);
    }
  }
  if (refusal !== undefined && !allowed.some(([, isAllowed]) => isAllowed)) throw refusal;
  return Object.fromEntries(allowed) as Record<Name, boolean>;
}

/** `alerts and users; not allowed: hosts` */
export function permissionWords(allowed: Readonly<Record<string, boolean>>): string {
  const names = (wanted: boolean) => Object.keys(allowed).filter((name) => allowed[name] === wanted);
  const missing = names(false);
  const words = names(true).join(' and ');
  return missing.length === 0 ? words : `${words}; not allowed: ${missing.join(', ')}`;
}
