import type { Endpoint } from '../../main/settings/endpoint/endpoint'
import type { RunEvent } from '../../shared/model/run/run'

/** Says which model is asked where, and which place of the configuration says so; for `--verbose`. */
export function endpointLines({ model, baseUrl, username }: Endpoint): readonly string[] {
  return [
    `model: ${model.value} (${model.where})`,
    `endpoint: ${baseUrl.value} (${baseUrl.where})`,
    `username: ${username.value} (${username.where})`,
  ]
}

/** Says in a line what goes on in a run, for `--verbose`; undefined for what is shown anyway. */
export function diagnosticOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'requested':
      return `request: ${event.model}, attempt ${event.attempt}`
    case 'tool':
      return `tool: ${event.name}, ${event.phase}`
    case 'compaction':
      return `compaction: ${event.phase}`
    case 'appended':
      return event.row.type === 'entry'
        ? `entry: ${event.row.entry.entry_type} ${event.row.entry.id}${usageOf(event.row.entry.metadata)}`
        : undefined
    case 'ended':
      return `run: ${event.outcome}`
    default:
      return undefined
  }
}

/** Quotes the provider's own counts. */
function usageOf(metadata: Readonly<Record<string, unknown>> | undefined): string {
  const usage = metadata?.usage
  return usage === undefined ? '' : `, usage ${JSON.stringify(usage)}`
}
