import { snakeCase } from '../column-values.ts';

/** Vendors, and vendor and product where the vendor has several, as CEF and LEEF name them, in lower case. */
const integrations: Readonly<Record<string, string>> = {
  a10: 'a10',
  'check point': 'checkpoint',
  'cisco|asa': 'cisco_asa',
  crowdstrike: 'crowdstrike',
  'cyber-ark': 'cyberark',
  cyberark: 'cyberark',
  f5: 'f5',
  'f5 networks': 'f5',
  fireeye: 'fireeye',
  forcepoint: 'forcepoint',
  fortinet: 'fortinet',
  'fortinet|fortigate': 'fortigate',
  'imperva inc.': 'imperva',
  incapsula: 'imperva',
  infoblox: 'infoblox',
  lancope: 'stealthwatch',
  'microsoft|microsoft windows': 'windows',
  opswat: 'opswat',
  'palo alto networks': 'panos',
  sentinelone: 'sentinelone',
  sophos: 'sophos',
  trellix: 'trellix',
  'trend micro': 'trend_micro',
  'trend micro|deep security agent': 'trend_deep_security',
  'trend micro|deep security manager': 'trend_deep_security',
  'vectra networks': 'vectra',
  zscaler: 'zscaler',
};

/** Slug of the integration; the vendor's own name in snake case where the table has none. */
export function integrationOfVendor(vendor: string, product: string): string {
  const name = vendor.trim().toLowerCase();
  const known = integrations[`${name}|${product.trim().toLowerCase()}`] ?? integrations[name];
  if (typeof known === 'string') return known;
  const slug = snakeCase(vendor).slice(0, 64);
  return slug === '' ? 'generic' : slug;
}
