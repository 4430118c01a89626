/**
 * Where else a field may stand in an event, because shippers name and nest it differently. Asked in this order, and only
 * when the event has nothing under the name itself. A dot leads into a nested record.
 */
export const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  // The Security log's "a new process has been created" has other names than Sysmon.
  ['Image', ['NewProcessName', 'process.executable']],
  ['ParentImage', ['ParentProcessName', 'process.parent.executable']],
  ['CommandLine', ['ProcessCommandLine', 'process.command_line']],
  ['ParentCommandLine', ['process.parent.command_line']],
  ['CurrentDirectory', ['process.working_directory']],
  [
    'EventID',
    [
      'EventId',
      'event_id',
      'EventCode',
      'Event.System.EventID.#text',
      'Event.System.EventID',
      'winlog.event_id',
      'event.code',
    ],
  ],
  [
    'Provider_Name',
    [
      'SourceName',
      'provider_name',
      'Event.System.Provider.#attributes.Name',
      'Event.System.Provider.@Name',
      'Event.System.Provider.Name',
      'winlog.provider_name',
      'ProviderName',
    ],
  ],
  ['Channel', ['channel', 'LogName', 'Event.System.Channel', 'winlog.channel']],
  ['Computer', ['Hostname', 'ComputerName', 'computer_name', 'Event.System.Computer', 'winlog.computer_name']],
  ['Level', ['Event.System.Level', 'winlog.level']],
  // Of the records of Linux's audit log.
  ['type', ['audit_type']],
  // Microsoft writes the same thing with and without a space.
  ['ThreatName', ['Threat Name']],
  ['SourceName', ['Source Name']],
  ['ActionID', ['Action ID']],
  ['NewValue', ['New Value']],
  ['OldValue', ['Old Value']],
  // Web servers and proxies: W3C names on the left.
  ['c-uri', ['cs-uri', 'url', 'request_uri', 'uri', 'path', 'url.original', 'http.request.uri']],
  ['cs-uri', ['c-uri', 'url', 'request_uri', 'uri', 'path', 'url.original']],
  ['c-uri-query', ['cs-uri-query', 'query', 'url.query', 'url', 'request_uri', 'uri', 'path']],
  ['cs-uri-query', ['c-uri-query', 'query', 'url.query', 'url', 'request_uri', 'uri', 'path']],
  ['c-uri-stem', ['cs-uri-stem', 'path', 'url.path', 'request_uri', 'uri', 'url']],
  ['cs-uri-stem', ['c-uri-stem', 'path', 'url.path', 'request_uri', 'uri', 'url']],
  ['c-useragent', ['cs-user-agent', 'user_agent', 'http_user_agent', 'useragent', 'user_agent.original', 'agent']],
  ['cs-user-agent', ['c-useragent', 'user_agent', 'http_user_agent', 'useragent', 'user_agent.original', 'agent']],
  ['cs-method', ['method', 'request_method', 'http_method', 'http.request.method', 'verb']],
  ['cs-referer', ['referer', 'http_referer', 'referrer', 'http.request.referrer']],
  ['cs-host', ['host_header', 'http_host', 'url.domain', 'dest_host']],
  ['cs-cookie', ['cookie', 'http_cookie']],
  ['sc-status', ['status', 'status_code', 'http.response.status_code', 'response']],
  // FortiGate, Suricata, PAN-OS, Junos, netfilter, CEF, LEEF, Windows, ECS, Zeek. Check Point's `service` stays out:
  // elsewhere it is a word.
  [
    'dst_port',
    [
      'dstport',
      'dest_port',
      'destination_port',
      'destination-port',
      'DPT',
      'dpt',
      'dstPort',
      'DestinationPort',
      'destination.port',
      'id.resp_p',
      'id_resp_p',
    ],
  ],
  [
    'src_port',
    [
      'srcport',
      'source_port',
      'source-port',
      'SPT',
      'spt',
      'srcPort',
      'SourcePort',
      'source.port',
      'id.orig_p',
      'id_orig_p',
    ],
  ],
  ['gcp.audit.method_name', ['protoPayload.methodName', 'data.protoPayload.methodName']],
  ['gcp.audit.service_name', ['protoPayload.serviceName', 'data.protoPayload.serviceName']],
]);

/** Records inside a Windows event that hold the fields of its kind, by the shapes shippers write. */
export const fieldHolders: readonly (readonly string[])[] = [
  ['Event', 'EventData'],
  ['EventData'],
  ['winlog', 'event_data'],
];

/** Here the fields lie one level deeper, in a record that is named after the kind of event. */
export const fieldHolderParents: readonly (readonly string[])[] = [
  ['Event', 'UserData'],
  ['winlog', 'user_data'],
];
