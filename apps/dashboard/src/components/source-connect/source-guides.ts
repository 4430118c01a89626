import type { EventSource, SourceKind } from '@airdeck/contracts/sources/schema';
import { t } from '../../language/translate.ts';
import { firstEventCommand, syslogDoorOf } from '../source-command.ts';

/** How one program is set up to send to a source: what to do, and what to paste. */
export type SourceGuide = {
  id: GuideId;
  label: string;
  /** Where it goes, and what to do afterwards. */
  steps: readonly string[];
  /** Files and values to copy, with what each is. */
  pieces: readonly { title: string; text: string }[];
};

type GuideId = 'rsyslog' | 'appliance' | 'shell' | 'vector' | 'fluent-bit' | 'graylog';
type Sender = Pick<EventSource, 'id' | 'kind' | 'url'>;
type MakeGuide = (source: Sender, token: string) => Omit<SourceGuide, 'id'>;

/** Programs that can send what a source of the kind takes, the usual one first. */
const guidesByKind: Readonly<Record<SourceKind, readonly GuideId[]>> = {
  syslog: ['rsyslog', 'appliance', 'shell'],
  ndjson: ['vector', 'fluent-bit', 'shell'],
  graylog: ['graylog', 'shell'],
  gelf: ['shell', 'vector'],
  webhook: ['shell'],
  cloudevents: ['shell'],
};

const guides: Readonly<Record<GuideId, MakeGuide>> = {
  rsyslog,
  appliance,
  shell,
  vector,
  'fluent-bit': fluentBit,
  graylog,
};
/** Of no use where the door for syslog is closed. */
const needsSyslogDoor: ReadonlySet<GuideId> = new Set(['rsyslog', 'appliance']);

export function guidesFor(source: Sender, token: string): SourceGuide[] {
  return guidesByKind[source.kind]
    .filter((id) => !needsSyslogDoor.has(id) || syslogDoorOf(source) !== undefined)
    .map((id) => ({ id, ...guides[id](source, token) }));
}

/** The queue keeps lines on the sender's disk while nobody answers. */
function rsyslog(source: Sender, token: string): ReturnType<MakeGuide> {
  const { host, port } = syslogDoorOf(source) ?? { host: '', port: '' };
  const header = '<%PRI%>1 %TIMESTAMP:::date-rfc3339% %HOSTNAME% %APP-NAME% %PROCID% %MSGID%';
  const text = `template(name="airdeck" type="string"
  string="${header} [airdeck@32473 token=\\"${token}\\"] %msg:::drop-last-lf%")

*.* action(type="omfwd" target="${host}" port="${port}" protocol="tcp"
  template="airdeck" TCP_Framing="octet-counted"
  action.resumeRetryCount="-1" queue.type="LinkedList"
  queue.filename="airdeck" queue.maxDiskSpace="1g" queue.saveOnShutdown="on")
`;
  return {
    label: t('rsyslog'),
    steps: [
      t('Save this as /etc/rsyslog.d/60-airdeck.conf.'),
      t('Restart it: systemctl restart rsyslog. Everything the machine logs comes in from then on.'),
    ],
    pieces: [{ title: t('/etc/rsyslog.d/60-airdeck.conf'), text }],
  };
}

/** Firewalls and the like have a form for host and port, and no place for a token: their address stands for them. */
function appliance(source: Sender): ReturnType<MakeGuide> {
  const { host, port } = syslogDoorOf(source) ?? { host: '', port: '' };
  return {
    label: t('Appliance'),
    steps: [
      t('In the appliance, send syslog to host {host}, port {port}, over TCP where it can.', { host, port }),
      t(
        'It cannot carry the token, so its address has to stand for it. Ask whoever runs this installation to add this to SYSLOG_SENDERS, with the address of the appliance in front.',
      ),
    ],
    pieces: [{ title: t('SYSLOG_SENDERS'), text: `192.0.2.1=${source.id}` }],
  };
}

function shell(source: Sender, token: string): ReturnType<MakeGuide> {
  const isSyslog = syslogDoorOf(source) !== undefined;
  return {
    label: isSyslog ? t('logger') : t('curl'),
    steps: [t('Run this in a shell. It sends one event.')],
    pieces: [{ title: t('Command'), text: firstEventCommand(source, token) }],
  };
}

function vector({ kind, url }: Sender, token: string): ReturnType<MakeGuide> {
  const text = `[sinks.airdeck]
type = "http"
inputs = ["*"]
uri = "${url}"
compression = "zstd"
encoding.codec = "${kind === 'gelf' ? 'gelf' : 'json'}"
framing.method = "newline_delimited"
auth.strategy = "bearer"
auth.token = "${token}"
request.headers.Content-Type = "application/x-ndjson"
`;
  return {
    label: t('Vector'),
    steps: [
      t('Add this sink to /etc/vector/vector.toml.'),
      t('In inputs, name the sources or transforms whose events it sends; "*" is all of them.'),
    ],
    pieces: [{ title: t('vector.toml'), text }],
  };
}

function fluentBit({ url }: Sender, token: string): ReturnType<MakeGuide> {
  const door = URL.canParse(url) ? new URL(url) : undefined;
  const isSecure = door?.protocol === 'https:';
  const text = `[OUTPUT]
    Name              http
    Match             *
    Host              ${door?.hostname.replace(/^\[|\]$/g, '') ?? ''}
    Port              ${door?.port || (isSecure ? '443' : '80')}
    URI               ${door?.pathname ?? ''}
    Format            json_lines
    Json_date_key     time
    Json_date_format  iso8601
    Compress          gzip
    Header            Authorization Bearer ${token}
    tls               ${isSecure ? 'On' : 'Off'}
`;
  return {
    label: t('Fluent Bit'),
    steps: [t('Add this output to /etc/fluent-bit/fluent-bit.conf.'), t('Restart it: systemctl restart fluent-bit.')],
    pieces: [{ title: t('fluent-bit.conf'), text }],
  };
}

function graylog({ url }: Sender, token: string): ReturnType<MakeGuide> {
  return {
    label: t('Graylog'),
    steps: [
      t('In Graylog, open Alerts, Notifications, and create one of type HTTP Notification.'),
      t('Fill in these values, and let it send the API key as a header.'),
      t('Put the address on the URL allow list (System, Configurations), or the notification fails when it fires.'),
      t(
        'Add the notification to the event definitions whose alerts should come in. Its test button sends a first event.',
      ),
    ],
    pieces: [
      { title: t('URL'), text: url },
      { title: t('API key'), text: t('Authorization') },
      { title: t('API secret'), text: t('Bearer {token}', { token }) },
    ],
  };
}
