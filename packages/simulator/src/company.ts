import type { Random } from './random.ts';
import { createRandom } from './random.ts';

export type Employee = {
  readonly name: string;
  /** Account name on Windows and Linux. */
  readonly account: string;
  readonly email: string;
  readonly department: string;
  readonly workstation: Host;
  /** Where they sign in from at home: 198.51.100.0/24. */
  readonly homeAddress: string;
};

export type Host = { readonly name: string; readonly address: string };

/** A small invented company. Its public side and everybody outside live in the address ranges kept for documentation. */
export type Company = {
  readonly name: string;
  readonly domain: string;
  readonly windowsDomain: string;
  readonly employees: readonly [Employee, ...Employee[]];
  readonly linuxServers: readonly [Host, ...Host[]];
  readonly domainController: Host;
  readonly firewall: Host & { readonly serial: string };
  /** The office's address as the outside sees it. */
  readonly publicAddress: string;
  /** Ordinary services of others that staff use. */
  readonly services: readonly [Service, ...Service[]];
};

export type Service = { readonly address: string; readonly port: number; readonly name: string };

const givenNames = [
  'Ada',
  'Bo',
  'Carla',
  'Dilan',
  'Edda',
  'Femi',
  'Greta',
  'Hugo',
  'Ines',
  'Jori',
  'Kaya',
  'Lars',
  'Mina',
  'Nils',
  'Olga',
  'Pavel',
] as const;
const familyNames = [
  'Abend',
  'Birkfeld',
  'Corvin',
  'Dahlmann',
  'Estrup',
  'Falk',
  'Grönholt',
  'Hollis',
  'Ilves',
  'Jansky',
  'Kestrel',
  'Lindqvar',
  'Morrow',
  'Nordby',
  'Oakes',
  'Penrose',
] as const;
const departments = ['Finance', 'Sales', 'Engineering', 'Support', 'Operations'] as const;

const DOMAIN = 'larkspur.example';

/** The same company for the same seed. */
export function createCompany(seed: string): Company {
  const random = createRandom(seed).fork('company');
  const offset = random.int(0, familyNames.length - 1);
  const employees = givenNames.map((given, index) => employee(given, index, offset, random));
  const [first, ...others] = employees;
  if (first === undefined) throw new Error('A company has employees.');
  return {
    name: 'Larkspur Trading',
    domain: DOMAIN,
    windowsDomain: 'LARKSPUR',
    employees: [first, ...others],
    linuxServers: [
      { name: 'bastion-01', address: '10.20.0.10' },
      { name: 'web-01', address: '10.20.0.21' },
      { name: 'web-02', address: '10.20.0.22' },
      { name: 'db-01', address: '10.20.0.31' },
      { name: 'build-01', address: '10.20.0.41' },
    ],
    domainController: { name: `dc-01.${DOMAIN}`, address: '10.10.0.5' },
    firewall: { name: 'fw-hq-01', address: '10.10.0.1', serial: `FGT60FTK${random.int(20_000_000, 20_999_999)}` },
    publicAddress: '192.0.2.10',
    services: [
      { address: '192.0.2.80', port: 443, name: 'HTTPS' },
      { address: '192.0.2.81', port: 443, name: 'HTTPS' },
      { address: '198.51.100.53', port: 53, name: 'DNS' },
      { address: '198.51.100.123', port: 123, name: 'NTP' },
      { address: '198.51.100.200', port: 443, name: 'HTTPS' },
      { address: '198.51.100.201', port: 80, name: 'HTTP' },
    ],
  };
}

function employee(given: string, index: number, offset: number, random: Random): Employee {
  const family = familyNames[(index + offset) % familyNames.length] ?? familyNames[0];
  const account = `${given}.${family}`
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z.]/g, '');
  return {
    name: `${given} ${family}`,
    account,
    email: `${account}@${DOMAIN}`,
    department: random.pick(departments),
    workstation: { name: `ws-${String(index + 1).padStart(3, '0')}.${DOMAIN}`, address: `10.10.1.${20 + index}` },
    homeAddress: `198.51.100.${10 + index}`,
  };
}
