import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { environmentSchema } from '../../apps/server/src/config/environment.ts';

const inRoot = (...parts: readonly string[]) => fileURLToPath(new URL(join('../..', ...parts), import.meta.url));
const read = (path: string) => readFileSync(inRoot('deploy', path), 'utf8');
const known = new Set(Object.keys(environmentSchema.shape));
/** Node's own. */
const ofNode = new Set(['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS']);
const { version: release, scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as {
  version: string;
  scripts: { start: string };
};
const roles = ['api', 'worker', 'ingest'];

const unknownOf = (names: readonly string[]) => names.filter((name) => !known.has(name) && !ofNode.has(name));

describe('files for deploying', () => {
  it('set no variable in the image that the server does not know, and do not run as root', () => {
    const text = read('Dockerfile');
    const [, runtime = ''] = text.split(/^FROM .*$/m).slice(1);
    expect(unknownOf([...runtime.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name))).toEqual([]);
    expect(runtime).toMatch(/^USER 10001:10001$/m);
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:\d+\.\d+\.\d+-/);
  });

  it('start the program with as many helpers of the collector as there are processors to spare, wherever it runs', () => {
    const option = '--v8-pool-size=0';
    expect(scripts.start).toBe(`exec node ${option} tools/start.mjs`);
    for (const path of ['Dockerfile', 'systemd/airdeck@.service'])
      expect(read(path), path).toMatch(new RegExp(`NODE_OPTIONS="?[^"]*${option}`));
  });

  it('leave it to `node tools/stack.mjs` to look up the sources of a stack: it would stop the server for half a second', () => {
    const starts = ['package.json', 'tools/start.mjs', 'deploy/Dockerfile', 'deploy/systemd/airdeck@.service'];
    for (const path of starts) expect(readFileSync(inRoot(path), 'utf8'), path).not.toMatch(/source-?maps/i);
  });

  it('give every role to two processes of compose, with variables the server knows', () => {
    const compose = parse(read('compose.yaml'), { merge: true }) as {
      services: Record<
        string,
        {
          image: string;
          environment?: Record<string, string>;
          deploy?: { replicas: number };
          read_only?: boolean;
          ports?: string[];
        }
      >;
    };
    const ours = Object.values(compose.services).filter(({ environment }) => environment?.ROLE !== undefined);
    const count = new Map<string, number>();
    for (const { environment = {}, deploy, image, read_only } of ours) {
      expect(unknownOf(Object.keys(environment))).toEqual([]);
      expect([image, read_only]).toEqual([`airdeck:${release}`, true]);
      const role = environment.ROLE ?? '';
      count.set(role, (count.get(role) ?? 0) + (deploy?.replicas ?? 1));
    }
    expect(Object.fromEntries(count)).toEqual({ api: 2, worker: 2, ingest: 2 });
    for (const { image } of Object.values(compose.services)) expect(image).toMatch(/:[^:]*\d/);
    // Without TLS nothing but syslog is open to other machines.
    const open = ours.flatMap(({ ports = [] }) => ports);
    expect(open.filter((port) => !/^127\.0\.0\.1:|:5514\//.test(port))).toEqual([]);
  });

  it('keep no more of what a container says than fits on the disk', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as {
      services: Record<string, { logging?: { options: Record<string, string> } }>;
    };
    const unbounded = Object.entries(services).filter(([, { logging }]) => {
      const { 'max-size': size, 'max-file': files } = logging?.options ?? {};
      return !/^\d+m$/.test(size ?? '') || !/^\d+$/.test(files ?? '');
    });
    expect(unbounded.map(([name]) => name)).toEqual([]);
  });

  it('tell `api`, which people ask where to send syslog, of the doors that `ingest` opens', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as {
      services: { api: { environment: Record<string, string> } };
    };
    expect(services.api.environment).toHaveProperty('SYSLOG_PUBLIC_HOST');
    expect(services.api.environment).toHaveProperty('SYSLOG_TCP_PORT');
    const [, forPeople = ''] =
      /if ne \.role "worker" }}\n([\s\S]*?)\n {4}{{- with .root.Values.extraSecretName/.exec(
        read('chart/templates/_helpers.tpl'),
      ) ?? [];
    expect(forPeople).toMatch(/SYSLOG_PUBLIC_HOST[\s\S]*SYSLOG_PORTS/);
    expect(read('systemd/airdeck.env')).toContain('SYSLOG_PUBLIC_HOST=');
  });

  it('give the units variables the server knows, and only addresses that are examples', () => {
    const names = [...read('systemd/airdeck.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
    const unit = read('systemd/airdeck@.service');
    const [, inUnit = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
    const ofUnit = [...inUnit.matchAll(/(?:^| |")([A-Z_0-9]+)=/g)].map(([, name = '']) => name);
    expect(ofUnit).toContain('AIRDECK_DATA_DIR');
    expect(unknownOf([...names, ...ofUnit])).toEqual([]);
    expect(unit).toContain('ROLE=%i');
    // Five starts in ten seconds would otherwise be the last ones, also of a process that only waits for its database.
    expect(unit).toMatch(/^\[Unit\][^[]*^StartLimitIntervalSec=0$/m);
    // Node ends at its first line without the one, and no call to a vendor is allowed without the other.
    expect(unit).toMatch(/^SystemCallFilter=@system-service @pkey$/m);
    expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
  });

  it('have values for the chart that fit its own schema, and templates that name only what is there', () => {
    const values = parse(read('chart/values.yaml')) as Record<string, unknown>;
    const validate = new Ajv({ strict: false }).compile(JSON.parse(read('chart/values.schema.json')) as object);
    expect(validate(values) ? [] : validate.errors).toEqual([]);
    expect(validate({ ...values, secretname: 'typo' })).toBe(false);
    const withDoor = (port: number) => {
      const { ingest } = values as { ingest: { syslog: object } };
      const door = { port, source: '01920000-0000-7000-8000-000000000401' };
      return { ...values, ingest: { ...ingest, syslog: { ...ingest.syslog, extraPorts: [door] } } };
    };
    expect([validate(withDoor(5601)), validate(withDoor(5514))]).toEqual([true, false]);
    const templates = readdirSync(inRoot('deploy/chart/templates')).map((name) => read(join('chart/templates', name)));
    const named = templates.flatMap((text) =>
      [...text.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path = '']) => path),
    );
    expect(named.filter((path) => !has(values, path.split('.')))).toEqual([]);
    expect(roles.filter((role) => !has(values, [role]))).toEqual([]);
    const variables = templates.flatMap((text) =>
      [...text.matchAll(/\{ name: ([A-Z_]+), value/g)].map(([, name = '']) => name),
    );
    expect(variables.length).toBeGreaterThan(3);
    expect(unknownOf(variables)).toEqual([]);
  });

  it('let a start in a cluster take an hour, so that a long migration is not rolled back again and again', () => {
    const [, everyS, times] =
      /startupProbe:\n.*\n\s+periodSeconds: (\d+)\n\s+failureThreshold: (\d+)/.exec(
        read('chart/templates/_helpers.tpl'),
      ) ?? [];
    expect(Number(everyS) * Number(times)).toBeGreaterThanOrEqual(3_600);
  });

  it('name the release of the product', () => {
    const [chart] = parseAllDocuments(read('chart/Chart.yaml'));
    expect(chart?.toJS()).toMatchObject({ version: release, appVersion: release });
    expect((parse(read('chart/values.yaml')) as { image: { tag: string } }).image.tag).toBe(release);
  });
});

function has(values: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  const isObject = typeof values === 'object' && values !== null && Object.hasOwn(values, first);
  return isObject && has((values as Record<string, unknown>)[first], rest);
}
