import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import {
  type Fields,
  jsonText,
  type TimelessEntry,
  textIn,
  unknownEntry,
  withFields,
} from '../common/drafts'

/** The author of a message. */
interface CrushSpeaker {
  readonly role: unknown
  readonly model: string | undefined
  /** The message is the summary of what was said before. */
  readonly isSummary: boolean
}

/** Converts the parts of a message to entries, in their order; pictures and files go with the words. */
export function entriesOfParts(
  parts: readonly unknown[],
  speaker: CrushSpeaker,
): readonly TimelessEntry[] {
  const entries: TimelessEntry[] = []
  const images: Fields[] = []
  const attachments: Fields[] = []
  for (const part of parts) {
    const file = isJsonObject(part) ? fileIn(part) : undefined
    if (file?.isImage === true) images.push(file.shown)
    else if (file !== undefined) attachments.push(file.shown)
    else entries.push(...partEntries(part, speaker))
  }
  if (images.length + attachments.length === 0) return entries
  const files = {
    ...(images.length === 0 ? {} : { images }),
    ...(attachments.length === 0 ? {} : { attachments }),
  }
  const said = entries.findIndex(({ entry_type: type }) => type === 'message')
  if (said === -1) return [withFields(wordsEntry('', speaker), files), ...entries]
  return entries.map((entry, at) => (at === said ? withFields(entry, files) : entry))
}

function partEntries(part: unknown, speaker: CrushSpeaker): readonly TimelessEntry[] {
  const { type, data } = isJsonObject(part) ? part : {}
  if (!isJsonObject(data)) return [unknownPart(type, part)]
  switch (type) {
    case 'text': {
      const words = jsonText(data.text)
      if (words === '') return []
      const entry = wordsEntry(words, speaker)
      return [data.hidden === true ? withFields(entry, { injected: true }) : entry]
    }
    case 'reasoning': {
      const thought = jsonText(data.thinking)
      if (thought === '') return []
      const entry = { from: 'crush', to: 'user', content: thought, entry_type: 'reasoning' }
      return [withFields(entry, modelOf(speaker))]
    }
    case 'tool_call':
      return [callEntry(data, speaker)]
    case 'tool_result':
      return [resultEntry(data)]
    case 'shell_command':
      return commandEntries(data)
    case 'finish':
      return finishEntries(data)
    default:
      return [unknownPart(type, part)]
  }
}

function unknownPart(type: unknown, part: unknown): TimelessEntry {
  return unknownEntry('crush', textIn(type) ?? 'part', JSON.stringify(part))
}

function wordsEntry(content: string, speaker: CrushSpeaker): TimelessEntry {
  const { role, isSummary } = speaker
  if (isSummary) {
    const entry = { from: 'crush', to: 'crush', content, entry_type: 'compaction' }
    return withFields(entry, modelOf(speaker))
  }
  const said = { content, entry_type: 'message' } as const
  if (role === 'user') return { from: 'user', to: 'crush', ...said, role: 'user' }
  if (role === 'assistant')
    return withFields({ from: 'crush', to: 'user', ...said, role: 'agent' }, modelOf(speaker))
  if (role === 'system') return { from: 'system', to: 'crush', ...said, role: 'system' }
  return unknownEntry('crush', jsonText(role), content)
}

/** Arguments are JSON as the model wrote it, also where it is not whole yet. */
function callEntry({ id, name, input }: JsonObject, speaker: CrushSpeaker): TimelessEntry {
  const call = textIn(id)
  const entry: TimelessEntry = {
    from: 'crush',
    to: textIn(name) ?? 'tool',
    content: jsonText(input),
    entry_type: 'tool_call',
    ...(call === undefined ? {} : { tool_call_id: call }),
  }
  return withFields(entry, modelOf(speaker))
}

function resultEntry(data: JsonObject): TimelessEntry {
  const call = textIn(data.tool_call_id)
  const url = dataUrl(data.mime_type, data.data)
  const isImage = String(data.mime_type).startsWith('image/')
  const entry: TimelessEntry = {
    from: textIn(data.name) ?? 'tool',
    to: 'crush',
    content: jsonText(data.content),
    entry_type: 'tool_result',
    ...(call === undefined ? {} : { tool_call_id: call }),
  }
  return withFields(entry, {
    ...(data.is_error === true ? { is_error: true } : {}),
    ...(url === undefined ? {} : isImage ? { images: [{ url }] } : { attachments: [{ url }] }),
  })
}

/** A command that a person ran is a call of the person's. */
function commandEntries({
  command,
  output,
  exit_code: code,
}: JsonObject): readonly TimelessEntry[] {
  const failed = typeof code === 'number' && code !== 0 ? { is_error: true } : {}
  return [
    { from: 'user', to: 'shell', content: jsonText(command), entry_type: 'tool_call' },
    withFields(
      { from: 'shell', to: 'user', content: jsonText(output), entry_type: 'tool_result' },
      failed,
    ),
  ]
}

/** The end of an answer is told only where something went wrong. */
function finishEntries({ message, details }: JsonObject): readonly TimelessEntry[] {
  const words = [textIn(message), textIn(details)].filter((one) => one !== undefined).join(': ')
  if (words === '') return []
  return [
    {
      from: 'crush',
      to: 'user',
      content: words,
      entry_type: 'message',
      role: 'system',
      metadata: { raw_type: 'finish' },
    },
  ]
}

interface ShownFile {
  readonly isImage: boolean
  readonly shown: Fields
}

function fileIn({ type, data }: JsonObject): ShownFile | undefined {
  if (!isJsonObject(data)) return undefined
  if (type === 'image_url') {
    const url = textIn(data.url)
    return url === undefined ? undefined : { isImage: true, shown: { url } }
  }
  if (type !== 'binary') return undefined
  const mime = textIn(data.MIMEType)
  const name = textIn(data.Path)
  const url = dataUrl(mime, data.Data)
  const known = { ...(name === undefined ? {} : { name }), ...(url === undefined ? {} : { url }) }
  return mime?.startsWith('image/') === true
    ? { isImage: true, shown: known }
    : { isImage: false, shown: { ...known, ...(mime === undefined ? {} : { type: mime }) } }
}

function dataUrl(mime: unknown, data: unknown): string | undefined {
  if (typeof data !== 'string' || data === '') return undefined
  return `data:${textIn(mime) ?? 'application/octet-stream'};base64,${data}`
}

function modelOf({ role, model }: CrushSpeaker): Fields {
  return role === 'assistant' && model !== undefined ? { model } : {}
}
