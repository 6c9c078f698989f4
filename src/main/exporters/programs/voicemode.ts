import type { Entry } from '../../../shared/model/conversation/entry'
import { hashedLetters } from '../parts/derived-id'
import { exportedText, exportKindOf, isRecord, nonEmptyText } from '../parts/entry-kind'
import { lostArguments, lostHalves, lostMetadata, lostUnsaid } from '../parts/entry-losses'
import {
  creationSeconds,
  filledTimes,
  formatDecimals,
  formatWholeSeconds,
  isExportableTime,
} from '../parts/exact-time'
import type { Exportable, Exporter } from '../parts/exporter'
import { type EntryLoss, isLeftOut } from '../parts/loss'
import { exportedEntries } from '../parts/rows'
import { pythonJson } from './python-json'

/**
 * voicemode's log of exchanges (`exchanges_*.jsonl`): a person's messages and the answers, in the order of time. It
 * may span days; voicemode itself begins a file each day. Tools, reasoning and the system's words have no place in it.
 *
 * Holds the lines of the conversation, since they are sorted; times are in UTC.
 */
export const voicemodeExporter: Exporter = {
  id: 'voicemode',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  branches: 'active',
  hasBranches: false,
  hasProject: true,
  isByTime: true,
  fileName: ({ created }) => `exchanges_${dayOf(created)}.jsonl`,
  lostOf,
  async *write(conversation, options, signal) {
    const timeOf = filledTimes(conversation.created)
    const lines: { readonly time: number; readonly line: string }[] = []
    const id = idOf(conversation)
    for await (const { entry, conversation: owner } of exportedEntries(
      conversation,
      options,
      signal,
    )) {
      if (isLeftOut(lostOf(entry, owner))) continue
      const time = timeOf(entry.timestamp)
      lines.push({ time, line: exchange(entry, owner, id, time) })
    }
    // Stable: entries of the same time stay in their order.
    lines.sort((a, b) => a.time - b.time)
    for (const { line } of lines) yield `${line}\n`
  },
}

const placed: ReadonlySet<string> = new Set(['model', 'speech', 'audio', 'project'])

function lostOf(entry: Entry, { source }: Pick<Exportable, 'source'>): readonly EntryLoss[] {
  const unsaid = lostUnsaid(entry)
  if (unsaid !== undefined) return unsaid
  const isNamed = source !== 'voicemode' && exportKindOf(entry) === 'user'
  return [
    ...(isExportableTime(entry.timestamp) ? [] : [{ kind: 'no-time' } as const]),
    ...(isNamed && !['', 'user'].includes(entry.from) ? [{ kind: 'name' } as const] : []),
    ...lostMetadata(entry, placed),
    ...lostArguments(entry),
    ...lostHalves(entry),
  ]
}

/** In voicemode's key order; what is not known is left out. */
function exchange(entry: Entry, conversation: Exportable, id: string, time: number): string {
  const { metadata = {} } = entry
  const { model } = metadata
  const { type: _, version, ...told } = isRecord(metadata.speech) ? metadata.speech : {}
  const audio = isRecord(metadata.audio) ? metadata.audio : {}
  const isOwn = conversation.source === 'voicemode'
  const project = nonEmptyText(metadata.project) ?? (isOwn ? null : conversation.project)
  return pythonJson({
    version: isOwn && Number.isInteger(version) ? version : 3,
    timestamp: timeText(time),
    conversation_id: id,
    type: exportKindOf(entry) === 'user' ? 'stt' : 'tts',
    text: exportedText('voicemode', entry, conversation),
    ...(nonEmptyText(project) === undefined ? {} : { project_path: project }),
    ...(nonEmptyText(audio.file) === undefined ? {} : { audio_file: audio.file }),
    ...(typeof audio.duration_ms === 'number' ? { duration_ms: audio.duration_ms } : {}),
    metadata: inOrder({ ...told, ...(nonEmptyText(model) === undefined ? {} : { model }) }),
  })
}

/** The version whose form is written here; voicemode drops a line whose metadata names none. */
const writtenVersion = '8.12.0'

/** As voicemode writes them, of both kinds of exchanges. */
const order = [
  'model',
  'voice',
  'provider',
  'provider_url',
  'provider_type',
  'language',
  'audio_format',
]

function inOrder(told: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { voice_mode_version = writtenVersion, ...others } = told
  const first = order.filter((key) => key in others).map((key) => [key, others[key]])
  const rest = Object.entries(others).filter(([key]) => !order.includes(key))
  return { voice_mode_version, ...Object.fromEntries([...first, ...rest]) }
}

/** As Python's `isoformat`: no decimals where they are 0. */
function timeText(time: number): string {
  const micros = formatDecimals(time, 6)
  return `${formatWholeSeconds(time)}${micros === '000000' ? '' : `.${micros}`}+00:00`
}

/** The conversation's own id where it has one, else one in voicemode's form, the same each time. */
function idOf({ source, key, created }: Exportable): string {
  // Its reader names in this way what has no id.
  const isOwn = source === 'voicemode' && !/^(?:no-id|transcriptions)\//.test(key)
  if (isOwn || /^conv_\d{8}_\d{6}_[a-z0-9]{6}$/.test(key)) return key
  const digits = formatWholeSeconds(creationSeconds(created)).replace(/[-:]/g, '')
  return `conv_${digits.replace('T', '_')}_${hashedLetters(6, source, key)}`
}

/** The day on which the conversation begins, in UTC, as its times are. */
function dayOf(created: string | null): string {
  return formatWholeSeconds(creationSeconds(created)).slice(0, 10)
}
