import { isIP } from 'node:net';

/** What the sandbox's reputation service knows of an address. */
export type Reputation = {
  readonly isPublic: boolean;
  /** 0 to 100. */
  readonly score: number;
  readonly totalReports: number;
  readonly countryCode: string | null;
  readonly usageType: string | null;
  readonly isp: string | null;
  readonly domain: string | null;
};

/** Invented networks; the names are under domains reserved for examples. */
const networks = [
  {
    isp: 'Example Hosting One',
    domain: 'hosting-one.example',
    usageType: 'Data Center/Web Hosting/Transit',
    countryCode: 'NL',
  },
  { isp: 'Example Cable', domain: 'cable.example', usageType: 'Fixed Line ISP', countryCode: 'US' },
  { isp: 'Example Mobile', domain: 'mobile.example', usageType: 'Mobile ISP', countryCode: 'BR' },
  { isp: 'Example Campus', domain: 'campus.example', usageType: 'University/College/School', countryCode: 'DE' },
] as const;

/**
 * The same answer for the same address, always. 203.0.113.0/24 is where the simulator's attackers live (score 80 to 100);
 * 198.51.100.0/24 is where its customers and travelling staff are (0 to 10); private addresses are unknown to the service.
 */
export function reputationOf(address: string): Reputation {
  if (isPrivate(address)) {
    return {
      isPublic: false,
      score: 0,
      totalReports: 0,
      countryCode: null,
      usageType: 'Reserved',
      isp: null,
      domain: null,
    };
  }
  const hash = hashOf(address);
  const network = networks[hash % networks.length] ?? networks[0];
  const score = scoreOf(address, hash);
  return { isPublic: true, score, totalReports: score < 5 ? 0 : score * 3 + (hash % 40), ...network };
}

function scoreOf(address: string, hash: number): number {
  if (address.startsWith('203.0.113.')) return 80 + (hash % 21);
  if (address.startsWith('198.51.100.') || address.startsWith('192.0.2.')) return hash % 11;
  return hash % 101;
}

function isPrivate(address: string): boolean {
  if (isIP(address) === 6) return /^(?:fc|fd|fe[89ab]|::1$)/i.test(address);
  return /^(?:10\.|127\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address);
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
