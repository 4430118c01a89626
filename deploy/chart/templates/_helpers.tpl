{{- define "airdeck.labels" -}}
app.kubernetes.io/name: airdeck
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "airdeck.pod" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 30
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "airdeck.labels" . | nindent 8 }}
containers:
  - name: airdeck
    image: {{ printf "%s:%s" .root.Values.image.repository .root.Values.image.tag | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    env:
      - { name: ROLE, value: {{ .role | quote }} }
      - { name: PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
      - { name: TRUSTED_PROXIES, value: {{ .root.Values.trustedProxies | quote }} }
      - { name: METRICS_PORT, value: {{ .root.Values.metricsPort | quote }} }
      - { name: CONNECTOR_KEYS_FILE, value: /run/airdeck/connector-keys.json }
      # A volume belongs to root; the folder it makes in there is its own.
      - { name: AIRDECK_DATA_DIR, value: /data/airdeck }
      {{- if .root.Values.caConfigMapName }}
      - { name: NODE_EXTRA_CA_CERTS, value: /run/airdeck-ca/ca.crt }
      {{- end }}
      {{- range $name, $value := .root.Values.env }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
      {{- range $name := list "DATABASE_URL" "EVENTS_URL" "FILES_URL" "IDENTITY_SECRET" }}
      - name: {{ $name }}
        valueFrom: { secretKeyRef: { name: {{ $.root.Values.secretName | quote }}, key: {{ $name }} } }
      {{- end }}
      - name: OTEL_EXPORTER_OTLP_HEADERS
        valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName | quote }}, key: OTEL_EXPORTER_OTLP_HEADERS, optional: true } }
      {{- if eq .role "ingest" }}
      {{- with .settings.syslog.tlsSecretName }}
      - { name: SYSLOG_TLS_PORT, value: "6514" }
      - { name: SYSLOG_TLS_KEY_FILE, value: /run/airdeck-syslog-tls/tls.key }
      - { name: SYSLOG_TLS_CERT_FILE, value: /run/airdeck-syslog-tls/tls.crt }
      {{- end }}
      {{- end }}
      {{- if ne .role "worker" }}
      {{- /* api opens no door and says where those of ingest are. */}}
      {{- with .root.Values.ingest.syslog.host }}
      - { name: SYSLOG_PUBLIC_HOST, value: {{ . | quote }} }
      {{- end }}
      {{- with .root.Values.ingest.syslog.extraPorts }}
      - name: SYSLOG_PORTS
        value: "{{ range $index, $door := . }}{{ if $index }},{{ end }}{{ $door.port }}={{ $door.source }}{{ end }}"
      {{- end }}
      {{- end }}
    {{- with .root.Values.extraSecretName }}
    envFrom:
      - secretRef: { name: {{ . | quote }} }
    {{- end }}
    ports:
      - { name: http, containerPort: 4000 }
      - { name: metrics, containerPort: {{ .root.Values.metricsPort }} }
      {{- if eq .role "ingest" }}
      - { name: syslog-tcp, containerPort: 5514 }
      - { name: syslog-udp, containerPort: 5514, protocol: UDP }
      {{- if .settings.syslog.tlsSecretName }}
      - { name: syslog-tls, containerPort: 6514 }
      {{- end }}
      {{- range .settings.syslog.extraPorts }}
      - { name: tcp-{{ .port }}, containerPort: {{ .port }} }
      - { name: udp-{{ .port }}, containerPort: {{ .port }}, protocol: UDP }
      {{- end }}
      {{- end }}
    # An hour: nobody listens before the schema is up to date, and a migration that is cut off is rolled back and begins anew,
    # for ever. A start that cannot succeed ends by itself.
    startupProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 2
      failureThreshold: 1800
    livenessProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
    # Takes calls as before until every balancer knows that it leaves: they hear of it at the same moment as the process.
    lifecycle:
      preStop: { exec: { command: [sleep, "5"] } }
    readinessProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 2
      timeoutSeconds: 5
    resources:
      {{- toYaml .settings.resources | nindent 6 }}
    volumeMounts:
      - { name: data, mountPath: /data }
      - { name: tmp, mountPath: /tmp }
      - { name: keys, mountPath: /run/airdeck, readOnly: true }
      {{- if .root.Values.caConfigMapName }}
      - { name: ca, mountPath: /run/airdeck-ca, readOnly: true }
      {{- end }}
      {{- if eq .role "ingest" }}
      {{- if .settings.syslog.tlsSecretName }}
      - { name: syslog-tls, mountPath: /run/airdeck-syslog-tls, readOnly: true }
      {{- end }}
      {{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  - name: keys
    secret:
      secretName: {{ .root.Values.secretName | quote }}
      defaultMode: 0440
      items: [{ key: connector-keys.json, path: connector-keys.json }]
  {{- with .root.Values.caConfigMapName }}
  - name: ca
    configMap: { name: {{ . | quote }} }
  {{- end }}
  {{- if ne .role "ingest" }}
  - name: data
    emptyDir: {}
  {{- else if .settings.syslog.tlsSecretName }}
  - name: syslog-tls
    secret:
      secretName: {{ .settings.syslog.tlsSecretName | quote }}
      defaultMode: 0440
  {{- end }}
{{- end }}
