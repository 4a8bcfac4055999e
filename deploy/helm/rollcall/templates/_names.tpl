{{- define "rollcall.name" -}}
{{- ternary .Release.Name (printf "%s-rollcall" .Release.Name) (contains "rollcall" .Release.Name) | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "rollcall.selector" -}}
app.kubernetes.io/name: rollcall
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "rollcall.labels" -}}
{{ include "rollcall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* Whether several servers may run, which share PostgreSQL and Redis. */}}
{{- define "rollcall.areSeveral" -}}
{{- if .Values.redis.secretName }}
{{- if not .Values.database.secretName }}{{ fail "redis.secretName needs database.secretName: servers share PostgreSQL too" }}{{ end -}}
true
{{- else if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled }}
{{- fail "several replicas need database.secretName and redis.secretName: each would count its own users" }}
{{- end }}
{{- end }}
