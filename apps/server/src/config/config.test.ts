import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

function problemsOf(
  env: Record<string, string>,
  fileExists?: (path: string) => boolean,
): readonly { variable: string; message: string }[] {
  try {
    readConfig(env, '1.14.2', fileExists);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('needs no variable at all', () => {
    const config = readConfig({}, '1.14.2');
    expect(config).toMatchObject({
      stage: 'local',
      role: 'all',
      dataDir: './data',
      mockData: true,
      http: { host: '127.0.0.1', port: 4000, publicUrl: undefined, trustedProxies: [] },
      stores: { databaseUrl: undefined, eventsUrl: undefined },
    });
    expect(config.dashboard).toEqual({
      api_base_url: '/',
      error_reporting_dsn: '',
      analytics_key: 'local',
      analytics_host: '/',
      identity_publishable_key: 'local',
      target_stage: 'local',
      mock_data: true,
      product_name: 'AIRdeck',
      product_short_name: 'AIR',
      release: '1.14.2',
    });
  });

  it('offers the issuers it was told about', () => {
    expect(readConfig({}, '1.14.2').signIn).toEqual({ google: undefined, microsoft: undefined, other: undefined });
    const env = {
      GOOGLE_CLIENT_ID: 'g',
      GOOGLE_CLIENT_SECRET: 'gs',
      MICROSOFT_CLIENT_ID: 'm',
      MICROSOFT_CLIENT_SECRET: 'ms',
      SSO_ISSUER: 'https://login.example.com',
      SSO_CLIENT_ID: 's',
    };
    expect(readConfig(env, '1.14.2').signIn).toEqual({
      google: { clientId: 'g', clientSecret: 'gs' },
      microsoft: { clientId: 'm', clientSecret: 'ms', directory: 'common' },
      other: { clientId: 's', clientSecret: undefined, issuer: 'https://login.example.com', label: 'Single sign-on' },
    });
  });

  it('sells through the Azure Marketplace only when it knows all of the registration, and what each plan opens', () => {
    const directory = '5a1f3a52-7a0e-4e0a-9b58-3f7f0a0c1d21';
    const sku = {
      sku_name: 'Standard',
      is_mdr_enabled: false,
      is_search_enabled: true,
      retention_length_days: 30,
      search_length_days: 30,
    };
    const env = {
      AZURE_MARKETPLACE_TENANT_ID: directory.toUpperCase(),
      AZURE_MARKETPLACE_CLIENT_ID: directory,
      AZURE_MARKETPLACE_CLIENT_SECRET: 'hidden',
      AZURE_MARKETPLACE_PLANS: JSON.stringify({ standard: sku }),
    };
    expect(readConfig({}, '1.14.2').azureMarketplace).toBeUndefined();
    expect(readConfig(env, '1.14.2').azureMarketplace).toEqual({
      directory,
      clientId: directory,
      clientSecret: 'hidden',
      plans: { standard: sku },
      apiUrl: 'https://marketplaceapi.microsoft.com/api',
      loginUrl: 'https://login.microsoftonline.com',
    });
    const { AZURE_MARKETPLACE_PLANS: _plans, ...rest } = env;
    expect(problemsOf(rest)).toMatchObject([{ variable: 'AZURE_MARKETPLACE_PLANS' }]);
    for (const plans of ['no JSON', '{}', '{"standard":{}}']) {
      const problems = problemsOf({ ...env, AZURE_MARKETPLACE_PLANS: plans });
      expect(problems).toMatchObject([{ variable: 'AZURE_MARKETPLACE_PLANS' }]);
    }
    expect(JSON.stringify(problemsOf({ ...rest, AZURE_MARKETPLACE_CLIENT_ID: 'x' }))).not.toContain('hidden');
  });

  it('takes the hosted identity provider when its key says where it is, and only with the secret key', () => {
    const key = `pk_live_${Buffer.from('clerk.example.com$').toString('base64')}`;
    const env = { IDENTITY_PUBLISHABLE_KEY: key, CLERK_SECRET_KEY: 'sk_live_hidden' };
    expect(problemsOf({ CLERK_SECRET_KEY: 'sk_live_hidden' })).toEqual([
      {
        variable: 'IDENTITY_PUBLISHABLE_KEY',
        message: expect.stringMatching(/^not set, although CLERK_SECRET_KEY is/),
      },
    ]);
    // Said in so many words it is the way back in while Clerk is down.
    expect(readConfig({ ...env, IDENTITY_PUBLISHABLE_KEY: 'local' }, '1.14.2').clerk).toBeUndefined();
    expect(readConfig(env, '1.14.2').clerk).toEqual({
      address: {
        issuer: 'https://clerk.example.com',
        keysUrl: 'https://clerk.example.com/.well-known/jwks.json',
      },
      secretKey: 'sk_live_hidden',
      webhookSecret: undefined,
      apiUrl: 'https://api.clerk.com/v1',
    });
    expect(problemsOf({ IDENTITY_PUBLISHABLE_KEY: key })).toMatchObject([{ variable: 'CLERK_SECRET_KEY' }]);
    for (const host of ['clerk.example.com', 'clerk.example.com/path$', 'localhost:3000$', '$']) {
      const broken = `pk_live_${Buffer.from(host).toString('base64')}`;
      expect(problemsOf({ ...env, IDENTITY_PUBLISHABLE_KEY: broken })).toMatchObject([
        { variable: 'IDENTITY_PUBLISHABLE_KEY' },
      ]);
    }
    const problems = problemsOf({
      ...env,
      CLERK_SECRET_KEY: 'hidden',
      CLERK_WEBHOOK_SECRET: 'hidden',
      CLERK_API_URL: 'http://api.example.com/v1',
    });
    expect(problems.map(({ variable }) => variable)).toEqual([
      'CLERK_SECRET_KEY',
      'CLERK_WEBHOOK_SECRET',
      'CLERK_API_URL',
    ]);
    expect(JSON.stringify(problems)).not.toContain('hidden');
  });

  it('takes no half of a client, and repeats no secret', () => {
    expect(problemsOf({ GOOGLE_CLIENT_SECRET: 'hidden', SSO_ISSUER: 'https://login.example.com' })).toEqual([
      { variable: 'GOOGLE_CLIENT_ID', message: 'not set, although GOOGLE_CLIENT_SECRET is; both are needed' },
      { variable: 'SSO_CLIENT_ID', message: 'not set, although SSO_ISSUER is; both are needed' },
    ]);
    const problems = problemsOf({ MICROSOFT_CLIENT_ID: 'm', MICROSOFT_CLIENT_SECRET: 'hidden'.repeat(200) });
    expect(problems.map(({ variable }) => variable)).toEqual(['MICROSOFT_CLIENT_SECRET']);
    expect(JSON.stringify(problems)).not.toContain('hidden');
  });

  it.each([
    ['PORT', '65536', '"65536" is not usable; expected a whole number from 0 to 65535'],
    ['PORT', '-1', '"-1" is not usable; expected a whole number from 0 to 65535'],
    ['PORT', '4e3', '"4e3" is not usable; expected a whole number from 0 to 65535'],
    ['TARGET_STAGE', 'production', '"production" is not usable; expected dev, prod or local'],
    ['ROLE', 'web', '"web" is not usable; expected all, api, worker or ingest'],
    ['MOCK_DATA', 'yes', '"yes" is not usable; expected true or false'],
    [
      'PUBLIC_URL',
      'air.example.com',
      '"air.example.com" is not usable; expected an address such as https://air.example.com',
    ],
    ['MAIL_FROM', 'AIRdeck', '"AIRdeck" is not usable; expected an address such as AIRdeck <no-reply@example.com>'],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/8,proxy',
      '"10.0.0.0/8,proxy" is not usable; expected a comma-separated list of addresses or networks such as 10.0.0.0/8',
    ],
    [
      'SYSLOG_SENDERS',
      '192.0.2.0/24=01920000-0000-7000-8000-000000000401',
      '"192.0.2.0/24=01920000-0000-7000-8000-000000000401" is not usable; expected pairs such as 192.0.2.1=<id of an event source>, with commas between them',
    ],
    [
      'SYSLOG_PORTS',
      '5601=01920000-0000-7000-8000-000000000401,5601=01920000-0000-7000-8000-000000000402',
      '"5601=01920000-0000-7000-8000-000000000401,5601=01920000-0000-7000-8000-000000000402" is not usable; expected pairs such as 5601=<id of an event source>, each port once, with commas between them',
    ],
    [
      'DNS_SERVERS',
      '192.0.2.53, dns.example:53',
      '"192.0.2.53, dns.example:53" is not usable; expected addresses such as 192.0.2.53 or 192.0.2.53:5353, with commas',
    ],
    ['OPEN_RUNS_MAX', '0', '"0" is not usable; expected a whole number from 1 to 9999999'],
    ['EVENTS_PER_S_MAX', '0', '"0" is not usable; expected a whole number from 1'],
    ['SESSION_IDLE_MINUTES', '4', '"4" is not usable; expected a whole number from 5 to 720'],
    ['SYSLOG_SPOOL_MAX_MB', '15', '"15" is not usable; expected a whole number from 16'],
    [
      'IDENTITY_PUBLISHABLE_KEY',
      'sk_live_abc',
      '"sk_live_abc" is not usable; expected local or a key such as pk_test_…',
    ],
  ])('refuses %s=%s and says what is expected', (variable, value, message) => {
    expect(problemsOf({ [variable]: value })).toEqual([{ variable, message }]);
  });

  it('opens the door for encrypted syslog only with both of its files, and knows senders by address', () => {
    const id = '01920000-0000-7000-8000-000000000401';
    const config = readConfig(
      {
        SYSLOG_TLS_KEY_FILE: '/etc/air/key.pem',
        SYSLOG_TLS_CERT_FILE: '/etc/air/cert.pem',
        SYSLOG_SENDERS: `192.0.2.1=${id}, 2001:db8::1=${id}`,
        SYSLOG_PORTS: `5601=${id}`,
      },
      '1.14.2',
    );
    expect(config.syslogTls).toEqual({ port: 6514, keyFile: '/etc/air/key.pem', certFile: '/etc/air/cert.pem' });
    expect([...config.syslogSenders.keys()]).toEqual(['192.0.2.1', '2001:db8::1']);
    expect([...config.syslogPorts]).toEqual([[5601, id]]);
    expect(readConfig({}, '1.14.2').syslogTls).toBeUndefined();
    // Asked for by its port alone, it is there to be tried, at stage local and nowhere else.
    expect(readConfig({ SYSLOG_TLS_PORT: '6514' }, '1.14.2').syslogTls).toEqual({ port: 6514, selfMade: true });
    const toldTo = (role: string) =>
      problemsOf({ SYSLOG_TLS_PORT: '6514', TARGET_STAGE: 'prod', ROLE: role }).filter(({ variable }) =>
        variable.startsWith('SYSLOG_TLS'),
      ).length;
    expect(['ingest', 'api', 'worker'].map(toldTo)).toEqual([2, 0, 0]);
    const elsewhere = problemsOf({ SYSLOG_TLS_PORT: '6514', TARGET_STAGE: 'prod' });
    expect(elsewhere).toEqual(
      ['SYSLOG_TLS_KEY_FILE', 'SYSLOG_TLS_CERT_FILE'].map((variable) => ({
        variable,
        message: expect.stringMatching(/^not set, although SYSLOG_TLS_PORT is/),
      })),
    );
    expect(problemsOf({ SYSLOG_TLS_KEY_FILE: '/etc/air/key.pem' }).map(({ variable }) => variable)).toEqual([
      'SYSLOG_TLS_CERT_FILE',
    ]);
  });

  it('listens for syslog where it does for people unless told otherwise', () => {
    expect(readConfig({ HOST: '192.0.2.7' }, '1.14.2').syslogHost).toBe('192.0.2.7');
    const apart = readConfig({ HOST: '127.0.0.1', SYSLOG_HOST: '0.0.0.0' }, '1.14.2');
    expect([apart.http.host, apart.syslogHost]).toEqual(['127.0.0.1', '0.0.0.0']);
    expect(problemsOf({ SYSLOG_HOST: 'x'.repeat(201) })).toMatchObject([{ variable: 'SYSLOG_HOST' }]);
  });

  it('answers for metrics on this machine alone unless told otherwise', () => {
    expect(readConfig({ HOST: '0.0.0.0' }, '1.14.2').metricsHost).toBe('127.0.0.1');
    expect(readConfig({ METRICS_HOST: '192.0.2.7' }, '1.14.2').metricsHost).toBe('192.0.2.7');
  });

  it('takes name servers with and without a port, in both families', () => {
    const servers = ['192.0.2.53', '127.0.0.1:5353', '2001:db8::53', '[2001:db8::53]:5353'];
    expect(readConfig({ DNS_SERVERS: servers.join(', ') }, '1.14.2').dnsServers).toEqual(servers);
    for (const wrong of ['192.0.2.53:0', '192.0.2.53:65536', '[192.0.2.53]', 'dns.example'])
      expect(problemsOf({ DNS_SERVERS: wrong }), wrong).toHaveLength(1);
  });

  it('lists all problems at once, each with its variable', () => {
    const problems = problemsOf({ PORT: 'x', TARGET_STAGE: 'y', LOG_LEVEL: 'z', ROLE: 'worker' });
    expect(problems.map((problem) => problem.variable)).toEqual([
      'PORT',
      'TARGET_STAGE',
      'LOG_LEVEL',
      'DATABASE_URL',
      'EVENTS_URL',
      'FILES_URL',
      'IDENTITY_SECRET',
      'CONNECTOR_KEYS_FILE',
    ]);
  });

  it('lists beside values that are not usable what is missing or does not go together, so that one start says it all', () => {
    const problems = problemsOf({
      ...{ PORT: 'x', TARGET_STAGE: 'prod', MOCK_DATA: 'true', SYSLOG_TLS_PORT: '6514' },
      ...{ SMTP_URL: 'http://mail.example.com', GOOGLE_CLIENT_ID: 'g'.repeat(301), EVENTS_CLUSTER: 'air' },
      ...{ ARCHIVE_FOLDER: '/mnt/archive', DATABASE_URL: 'mysql://db/air' },
    });
    const variables = problems.map(({ variable }) => variable);
    expect(variables.toSorted()).toEqual([
      ...['ARCHIVE_FOLDER', 'DATABASE_URL', 'EVENTS_URL', 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'MAIL_FROM'],
      ...['MOCK_DATA', 'PORT', 'SMTP_URL', 'SYSLOG_TLS_CERT_FILE', 'SYSLOG_TLS_KEY_FILE'],
    ]);
    // What is not usable is there: nobody is told that it is missing too.
    expect(problemsOf({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'x' })).toHaveLength(1);
    expect(problemsOf({ SYSLOG_TLS_PORT: 'x', TARGET_STAGE: 'prod' })).toHaveLength(3);
    expect(problemsOf({ CLERK_SECRET_KEY: 'x', IDENTITY_PUBLISHABLE_KEY: 'y' })).toHaveLength(2);
  });

  it('never repeats the value of a variable that may hold a password', () => {
    const [problem] = problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/air' });
    expect(problem?.variable).toBe('DATABASE_URL');
    expect(problem?.message).not.toContain('hunter2');
  });

  it.each([
    ['smtp://air:hunter2@mail.example.com:587', 'AIRdeck <no-reply@example.com>', 'AIRdeck'],
    ['smtps://mail.example.com', 'no-reply@example.com', 'Deck'],
  ])('sends mails through %s as %s', (url, from, name) => {
    expect(readConfig({ SMTP_URL: url, MAIL_FROM: from, PRODUCT_NAME: 'Deck' }, '1.14.2').mailServer).toEqual({
      url,
      from: { name, address: 'no-reply@example.com' },
    });
    expect(problemsOf({ SMTP_URL: url })).toEqual([
      { variable: 'MAIL_FROM', message: 'not set, although SMTP_URL is; mails need a sender' },
    ]);
    const [problem] = problemsOf({ SMTP_URL: url.replace('smtp', 'http') });
    expect(problem).toMatchObject({ variable: 'SMTP_URL', message: expect.not.stringContaining('hunter2') });
  });

  it.each(['Air <a@example.com>\r\nBcc: b@example.com', 'a@example.com, b@example.com', 'A\nB <a@example.com>'])(
    'takes no sender such as %j',
    (from) => {
      expect(problemsOf({ MAIL_FROM: from }).map(({ variable }) => variable)).toEqual(['MAIL_FROM']);
    },
  );

  it('lets a role run on its own only with stores, files and secrets that others can share', () => {
    const shared = {
      DATABASE_URL: 'postgresql://db/air',
      EVENTS_URL: 'http://events:8123',
      FILES_URL: 's3://key:secret@files:9000/air?tls=false',
      IDENTITY_SECRET: 'x'.repeat(32),
      CONNECTOR_KEYS_FILE: '/run/keys.json',
    };
    for (const role of ['api', 'worker', 'ingest']) {
      for (const [variable] of Object.entries(shared)) {
        const problems = problemsOf({ ...shared, ROLE: role, [variable]: '' }, () => true);
        expect(problems).toEqual([{ variable, message: expect.stringContaining(`not set; ROLE ${role} `) }]);
      }
      expect(problemsOf({ ...shared, ROLE: role }, () => true)).toEqual([]);
      expect(problemsOf({ ...shared, ROLE: role }, () => false)).toEqual([
        { variable: 'CONNECTOR_KEYS_FILE', message: expect.stringContaining('there is no file "/run/keys.json"') },
      ]);
    }
    expect(readConfig({}, '1.14.2')).toMatchObject({
      connectorKeysFile: 'data/connector-keys.json',
      filesBucket: undefined,
    });
    expect(readConfig({ CONNECTOR_KEYS_FILE: '/run/keys.json' }, '1.14.2').connectorKeysFile).toBe('/run/keys.json');
  });

  it('takes a bucket for files in one address, and repeats none of its keys', () => {
    const bucket = { bucket: 'air-files', region: 'us-east-1', accessKey: 'key', secretKey: 's/e+c' };
    const of = (url: string) => readConfig({ FILES_URL: url }, '1.14.2').filesBucket;
    expect(of('s3://key:s%2Fe%2Bc@files.example.com/air-files')).toEqual({
      ...bucket,
      origin: 'https://files.example.com',
    });
    expect(of('s3://key:s%2Fe%2Bc@127.0.0.1:9000/air-files?region=eu-1&tls=false')).toEqual({
      ...bucket,
      region: 'eu-1',
      origin: 'http://127.0.0.1:9000',
    });
    for (const wrong of [
      'https://key:hidden@files.example.com/air-files',
      's3://key@files.example.com/air-files',
      's3://key:hidden@files.example.com',
      's3://key:hidden@files.example.com/air/files',
      's3://key:hidden@files.example.com/Air_Files',
      's3://key:hidden@files.example.com/air-files?tls=no',
      's3://key:hidden@files.example.com/air-files?acl=public',
      's3://key:%hidden@files.example.com/air-files',
    ]) {
      const problems = problemsOf({ FILES_URL: wrong });
      expect(problems, wrong).toMatchObject([{ variable: 'FILES_URL' }]);
      expect(JSON.stringify(problems)).not.toContain('hidden');
    }
  });

  it('sends traces where the variables of OpenTelemetry say, and follows nothing without an address', () => {
    const of = (env: Record<string, string>) => readConfig(env, '1.14.2').tracing;
    expect(of({ OTEL_SERVICE_NAME: 'air', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toBeUndefined();
    expect(of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      serviceName: 'airdeck',
      share: 1,
    });
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com/tenant-1/',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-scope=one=1',
      OTEL_SERVICE_NAME: 'air',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    };
    expect(of(env)).toEqual({
      url: 'https://traces.example.com/tenant-1/v1/traces',
      headers: { authorization: 'Basic YTpi', 'x-scope': 'one=1' },
      serviceName: 'air',
      share: 0.05,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://air:hunter2@traces.example.com'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://traces.example.com/?key=hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b,bad name=hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hunter2%0d%0aX-Other:1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hunter2%'],
    ['OTEL_SERVICE_NAME', 'x'.repeat(101)],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
  ])('refuses %s=%s by its name, and repeats no key', (variable, value) => {
    const problems = problemsOf({ [variable]: value });
    expect(problems.map((problem) => problem.variable)).toEqual([variable]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  it('names a cluster only for a store elsewhere', () => {
    expect(problemsOf({ EVENTS_CLUSTER: 'air' })).toMatchObject([{ variable: 'EVENTS_URL' }]);
    const env = { EVENTS_URL: 'http://events:8123', EVENTS_CLUSTER: 'air' };
    expect(readConfig(env, '1.14.2').stores.eventsCluster).toBe('air');
    expect(problemsOf({ ...env, EVENTS_CLUSTER: "a'; drop" })).toMatchObject([{ variable: 'EVENTS_CLUSTER' }]);
  });

  it('treats an empty variable as one that is not set', () => {
    expect(readConfig({ PORT: '', HOST: ' ' }, '1.14.2').http).toMatchObject({ port: 4000, host: '127.0.0.1' });
  });

  it('makes no demo data outside stage local, and never in production', () => {
    expect(readConfig({ TARGET_STAGE: 'dev' }, '1.14.2').mockData).toBe(false);
    expect(problemsOf({ TARGET_STAGE: 'prod', MOCK_DATA: 'true' })).toEqual([
      { variable: 'MOCK_DATA', message: expect.stringContaining('prod') },
    ]);
  });

  it('refuses an archive of stores elsewhere, and one that would be lost with the data folder', () => {
    const problemOf = (env: Record<string, string>) => {
      try {
        readConfig(env, '0.0.0');
      } catch (error) {
        if (error instanceof ConfigError) return error.problems.map(({ variable }) => variable);
        throw error;
      }
      return [];
    };
    const own = { AIRDECK_DATA_DIR: '/srv/data' };
    expect(problemOf({ ...own, ARCHIVE_FOLDER: '/mnt/archive' })).toEqual([]);
    expect(problemOf({ ...own, ARCHIVE_FOLDER: '/srv/data-archive' })).toEqual([]);
    expect(problemOf({ ...own, ARCHIVE_FOLDER: '/srv/data/archive' })).toEqual(['ARCHIVE_FOLDER']);
    const elsewhere = { DATABASE_URL: 'postgresql://air@db.example.com/air', ARCHIVE_FOLDER: '/mnt/archive' };
    expect(problemOf({ ...own, ...elsewhere })).toEqual(['ARCHIVE_FOLDER']);
  });
});
