/**
 * Rules as people publish them, made up: log sources, operators, shapes and lengths of lists in the shares counted over
 * 3,757 published Sigma rules; every name and value is invented. The same seed gives the same rules and events.
 */
export type Draw = {
  /** Between 0 and 1. */
  next(): number;
  below(count: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
};

export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new RangeError('Nothing to pick from.');
    return item;
  };
  return { next, below, chance: (share) => next() < share, pick };
}

export type Vocabulary = {
  readonly tools: readonly string[];
  readonly options: readonly string[];
  readonly folders: readonly string[];
  readonly keys: readonly string[];
  readonly words: readonly string[];
  readonly domains: readonly string[];
};

const syllables = [
  'ba',
  'cor',
  'dex',
  'fil',
  'gan',
  'hul',
  'kes',
  'lom',
  'mir',
  'nop',
  'quor',
  'ras',
  'sel',
  'tiv',
  'vun',
  'wex',
  'yal',
  'zor',
];

export function createVocabulary(draw: Draw): Vocabulary {
  const word = (parts: number) => Array.from({ length: parts }, () => draw.pick(syllables)).join('');
  const list = (count: number, make: () => string) => [...new Set(Array.from({ length: count }, make))];
  return {
    tools: list(700, () => `${word(2 + draw.below(2))}.exe`),
    options: list(900, () => `${draw.pick([' -', ' --', ' /'])}${word(1 + draw.below(3))}`),
    folders: list(400, () => `\\${word(2)}\\${word(2)}\\`),
    keys: list(300, () => `\\Software\\${word(2)}\\${word(3)}`),
    words: list(900, () => `${word(2)}-${word(2)}`),
    domains: list(300, () => `${word(3)}.example`),
  };
}

type FieldKind = { readonly name: string; readonly values: keyof Vocabulary; readonly before?: string };
type Kind = { readonly share: number; readonly logSource: string; readonly fields: readonly FieldKind[] };

const image: FieldKind = { name: 'Image', values: 'tools', before: '\\' };
const commandLine: FieldKind = { name: 'CommandLine', values: 'options' };
const parentImage: FieldKind = { name: 'ParentImage', values: 'tools', before: '\\' };
const processFields = [
  image,
  image,
  image,
  commandLine,
  commandLine,
  commandLine,
  commandLine,
  parentImage,
  { name: 'OriginalFileName', values: 'tools' } as const,
];

function windows(category: string): string {
  return `{ product: windows, category: ${category} }`;
}

const kinds: readonly Kind[] = [
  { share: 37.7, logSource: windows('process_creation'), fields: processFields },
  {
    share: 6,
    logSource: windows('registry_set'),
    fields: [{ name: 'TargetObject', values: 'keys' }, { name: 'Details', values: 'words' }, image],
  },
  {
    share: 5.9,
    logSource: windows('file_event'),
    fields: [{ name: 'TargetFilename', values: 'folders' }, { name: 'TargetFilename', values: 'tools' }, image],
  },
  {
    share: 4.7,
    logSource: windows('ps_script'),
    fields: [
      { name: 'ScriptBlockText', values: 'words' },
      { name: 'ScriptBlockText', values: 'options' },
    ],
  },
  {
    share: 4.4,
    logSource: '{ product: windows, service: security }',
    fields: [
      { name: 'SubjectUserName', values: 'words' },
      { name: 'ObjectName', values: 'folders' },
      { name: 'ServiceName', values: 'words' },
    ],
  },
  {
    share: 3.8,
    logSource: '{ product: linux, category: process_creation }',
    fields: [image, commandLine, commandLine],
  },
  {
    share: 3.3,
    logSource: windows('image_load'),
    fields: [{ name: 'ImageLoaded', values: 'tools', before: '\\' }, image],
  },
  {
    share: 4.3,
    logSource: '{ category: webserver }',
    fields: [
      { name: 'cs-uri-query', values: 'words' },
      { name: 'cs-user-agent', values: 'words' },
    ],
  },
  {
    share: 2,
    logSource: '{ product: windows, service: system }',
    fields: [
      { name: 'Provider_Name', values: 'words' },
      { name: 'ServiceName', values: 'words' },
    ],
  },
  { share: 1.9, logSource: '{ product: macos, category: process_creation }', fields: [image, commandLine] },
  {
    share: 3,
    logSource: windows('network_connection'),
    fields: [image, { name: 'DestinationHostname', values: 'domains' }],
  },
  { share: 3, logSource: windows('dns_query'), fields: [{ name: 'QueryName', values: 'domains' }, image] },
  {
    share: 3,
    logSource: '{ product: aws, service: cloudtrail }',
    fields: [
      { name: 'eventName', values: 'words' },
      { name: 'eventSource', values: 'domains' },
    ],
  },
  {
    share: 5,
    logSource: '{ product: azure, service: auditlogs }',
    fields: [
      { name: 'OperationName', values: 'words' },
      { name: 'properties.message', values: 'words' },
    ],
  },
  {
    share: 2,
    logSource: '{ product: okta, service: okta }',
    fields: [
      { name: 'eventType', values: 'words' },
      { name: 'displaymessage', values: 'words' },
    ],
  },
  {
    share: 1,
    logSource: '{ product: fortigate, service: event }',
    fields: [
      { name: 'action', values: 'words' },
      { name: 'cfgpath', values: 'words' },
    ],
  },
  {
    share: 3,
    logSource: '{ product: linux, service: auditd }',
    fields: [
      { name: 'type', values: 'words' },
      { name: 'a1', values: 'options' },
    ],
  },
];
const keywordSources = [
  '{ product: linux, service: auth }',
  '{ product: linux, service: syslog }',
  '{ product: linux, service: sshd }',
  '{ product: linux }',
];
const KEYWORD_SHARE = 0.025;

/** Texts of rules; each is one document. */
export function sigmaShapedRules(draw: Draw, words: Vocabulary, count: number): string[] {
  const total = kinds.reduce((sum, { share }) => sum + share, 0);
  return Array.from({ length: count }, (_, at) => {
    const head = `title: Made-up rule ${at}\nid: 00000000-0000-4000-8000-${String(at).padStart(12, '0')}\nauthor: Bench\nlevel: ${draw.pick(['high', 'medium', 'low'])}\n`;
    if (draw.chance(KEYWORD_SHARE)) {
      const list = Array.from({ length: 1 + draw.below(6) }, () => `    - '${draw.pick(words.words)}'`);
      return `${head}logsource: ${draw.pick(keywordSources)}\ndetection:\n  words:\n${list.join('\n')}\n  condition: words\n`;
    }
    const kind = kindAt(draw.next() * total);
    return `${head}logsource: ${kind.logSource}\ndetection:\n${detectionOf(draw, words, kind.fields)}`;
  });
}

function kindAt(place: number): Kind {
  let end = 0;
  for (const kind of kinds) {
    end += kind.share;
    if (place < end) return kind;
  }
  throw new RangeError('Beyond all kinds.');
}

function detectionOf(draw: Draw, words: Vocabulary, fields: readonly FieldKind[]): string {
  const selections = Array.from({ length: draw.chance(0.45) ? 1 : 2 + draw.below(2) }, (_, at) =>
    selection(`selection_${at}`, { draw, words, fields, alternatives: draw.chance(0.24) }),
  );
  const filters = draw.chance(0.21)
    ? Array.from({ length: 1 + draw.below(3) }, (_, at) =>
        selection(`filter_${at}`, { draw, words, fields, alternatives: false }),
      )
    : [];
  const joined = draw.chance(0.7) ? 'all of selection_*' : '1 of selection_*';
  const condition = filters.length === 0 ? joined : `${joined} and not 1 of filter_*`;
  return `${[...selections, ...filters].join('')}  condition: ${condition}\n`;
}

type Wanted = {
  readonly draw: Draw;
  readonly words: Vocabulary;
  readonly fields: readonly FieldKind[];
  readonly alternatives: boolean;
};

function selection(name: string, { draw, words, fields, alternatives }: Wanted): string {
  if (alternatives) {
    const chosen = [draw.pick(fields), draw.pick(fields)];
    return `  ${name}:\n${chosen.map((field) => `    - ${criterion(draw, words, field, '        ')}`).join('')}`;
  }
  const chosen = new Map(
    Array.from({ length: 1 + draw.below(2) }, () => draw.pick(fields)).map((field) => [field.name, field]),
  );
  return `  ${name}:\n${[...chosen.values()].map((field) => `    ${criterion(draw, words, field, '      ')}`).join('')}`;
}

function criterion(draw: Draw, words: Vocabulary, { name, values, before = '' }: FieldKind, indent: string): string {
  if (draw.chance(0.025)) return `${name}|re: '${draw.pick(words.words)}[0-9]{2,}\\s'\n`;
  const operator = draw.pick(['|contains', '|contains', '|contains', '|endswith', '|endswith', '', '', '|startswith']);
  const isAll = operator === '|contains' && draw.chance(0.3);
  const count = draw.chance(0.06) ? 21 + draw.below(30) : draw.chance(0.5) ? 1 : 2 + draw.below(7);
  const dash = operator === '|contains' && values === 'options' && draw.chance(0.1) ? '|windash' : '';
  const list = Array.from(
    { length: isAll ? Math.min(count, 3) : count },
    () => `${indent}- '${before}${draw.pick(words[values])}'\n`,
  );
  return `${name}${operator}${isAll ? '|all' : ''}${dash}:\n${list.join('')}`;
}

const everydayTools = [
  'svchost.exe',
  'chrome.exe',
  'explorer.exe',
  'teams.exe',
  'conhost.exe',
  'taskhostw.exe',
  'msedge.exe',
  'powershell.exe',
];

/** JSON as Sysmon's shipper writes it: mostly everyday programs, now and then something a rule looks for. */
export function sysmonLines(draw: Draw, words: Vocabulary, count: number): string[] {
  return Array.from({ length: count }, (_, at) => JSON.stringify(sysmonRecord(draw, words, at)));
}

function sysmonRecord(draw: Draw, words: Vocabulary, at: number): Record<string, unknown> {
  const rare = draw.chance(0.1);
  const tool = rare ? draw.pick(words.tools) : draw.pick(everydayTools);
  const path = `C:\\Program Files${draw.pick(words.folders)}${tool}`;
  const options = Array.from({ length: 1 + draw.below(6) }, () =>
    draw.chance(0.05) ? draw.pick(words.options) : ` --profile=${draw.below(5000)}`,
  );
  const common = {
    '@timestamp': new Date(1_795_000_000_000 + at * 7).toISOString(),
    Hostname: `PC-${draw.below(300)}.corp.example`,
    SourceName: 'Microsoft-Windows-Sysmon',
    Channel: 'Microsoft-Windows-Sysmon/Operational',
    ProcessGuid: `{${at.toString(16).padStart(8, '0')}-5478-4994-a5ba-3e3b0328c30d}`,
    ProcessId: draw.below(20_000),
    User: `CORP\\user${draw.below(500)}`,
    Image: path,
  };
  const kind = draw.next();
  if (kind < 0.4) {
    return {
      ...common,
      EventID: 1,
      CommandLine: `"${path}"${options.join('')}`,
      OriginalFileName: tool,
      ParentImage: `C:\\Windows\\System32\\${draw.chance(0.05) ? draw.pick(words.tools) : 'services.exe'}`,
      ParentCommandLine: 'C:\\Windows\\System32\\services.exe',
      CurrentDirectory: 'C:\\Windows\\System32\\',
      IntegrityLevel: 'System',
      Hashes: `SHA256=${'0123456789ABCDEF'.repeat(4)},IMPHASH=${'89ABCDEF'.repeat(4)}`,
    };
  }
  if (kind < 0.6)
    return {
      ...common,
      EventID: 7,
      ImageLoaded: `C:\\Windows\\System32\\${tool.replace('.exe', '.dll')}`,
      Signed: 'true',
      Signature: 'Corp Example',
    };
  if (kind < 0.8)
    return {
      ...common,
      EventID: 13,
      TargetObject: `HKLM${rare ? draw.pick(words.keys) : '\\System\\Setup\\State'}`,
      Details: rare ? draw.pick(words.words) : 'DWORD (0x00000001)',
    };
  if (kind < 0.9)
    return { ...common, EventID: 11, TargetFilename: `C:\\Users\\u\\AppData${draw.pick(words.folders)}${at}.tmp` };
  return {
    ...common,
    EventID: 22,
    QueryName: rare ? draw.pick(words.domains) : `cdn${draw.below(99)}.corp.example`,
    QueryResults: '192.0.2.9',
  };
}

/** Lines of text as programs on Linux write them. */
export function syslogLines(draw: Draw, words: Vocabulary, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const word = draw.chance(0.02) ? draw.pick(words.words) : `session-${draw.below(9999)}`;
    return `<30>Nov 21 10:${String(at % 60).padStart(2, '0')}:05 host-${draw.below(40)} worker[${draw.below(30_000)}]: job ${at} of queue mail finished in ${draw.below(900)} ms for ${word} with 0 errors`;
  });
}
