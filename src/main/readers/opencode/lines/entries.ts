import type { JsonObject } from '../../../../shared/model/basics/json-object'
import type { AnswerUsage } from '../../../../shared/model/run/usage'
import type { NamelessEntry } from '../../common/value-meaning'
import { textAt, textOrJson } from './fields'
import { opencodeOutputIn } from './saved-output'

/** The author of a message, and its time. */
export interface Speaker {
  /** Unix seconds; null where unknown. */
  readonly timestamp: number | null
  /** Undefined for a message whose author is not known. */
  readonly role: 'user' | 'agent' | undefined
  readonly model?: string | undefined
}

/** A call of a tool, as both versions have it. */
export interface ToolUse {
  readonly name: string
  readonly id: string | undefined
  readonly input: unknown
  /** Undefined while it runs. */
  readonly result: { readonly text: string; readonly isError: boolean } | undefined
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Images and files that came with the result. */
  readonly files?: readonly JsonObject[]
  /** Where the whole result was saved, as the record says, and the version of the record. */
  readonly saved?: { readonly path: unknown; readonly version: 1 | 2 }
}

type Metadata = Record<string, unknown>

/** Makes the entry of a text; of an unknown author, one of the type `unknown`. */
export function textEntry(
  speaker: Speaker,
  content: string,
  metadata: Metadata = {},
): NamelessEntry {
  const { timestamp, role, model } = speaker
  if (role === 'user')
    return withMetadata(
      { timestamp, from: 'user', to: 'opencode', entry_type: 'message', role, content },
      metadata,
    )
  if (role === 'agent')
    return withMetadata(
      { timestamp, from: 'opencode', to: 'user', entry_type: 'message', role, content },
      { ...modelOf(model), ...metadata },
    )
  return rawEntry(timestamp, 'text', content, metadata)
}

/** Makes the entry of a model's thoughts. */
export function reasoningEntry({ timestamp, model }: Speaker, content: string): NamelessEntry {
  const entry = { timestamp, from: 'opencode', to: 'user', entry_type: 'reasoning', content }
  return withMetadata(entry, modelOf(model))
}

/** Makes the entries of a tool's use: the call, and its result where it has one. */
export function toolEntries(speaker: Speaker, use: ToolUse): readonly NamelessEntry[] {
  const { name, id, input, result, startedAt, endedAt, files = [], saved } = use
  const named = id === undefined ? {} : { tool_call_id: id }
  const from = speaker.role === 'user' ? 'user' : 'opencode'
  const call = withMetadata(
    {
      timestamp: startedAt ?? speaker.timestamp,
      from,
      to: name,
      entry_type: 'tool_call',
      content: textOrJson(input),
      ...named,
    },
    modelOf(speaker.model),
  )
  if (result === undefined) return [call]
  const { text: content, isError } = result
  const output = saved && opencodeOutputIn(content, saved.path, saved.version)
  const answer = withMetadata(
    {
      timestamp: endedAt ?? startedAt ?? speaker.timestamp,
      from: name,
      to: from,
      entry_type: 'tool_result',
      content,
      ...named,
    },
    {
      ...(isError ? { is_error: true } : {}),
      ...(output === undefined ? {} : { saved_output: output }),
      ...fileMetadata(files),
    },
  )
  return [call, answer]
}

/** Makes the entry of something that the program says of itself, such as an error. */
export function programEntry(
  timestamp: number | null,
  kind: string,
  content: string,
): NamelessEntry {
  return {
    timestamp,
    from: 'opencode',
    to: 'user',
    entry_type: 'message',
    role: 'system',
    content,
    metadata: { raw_type: kind },
  }
}

/** Makes the entry of a kind that nobody knows; nothing of it is left out. */
export function rawEntry(
  timestamp: number | null,
  kind: string,
  content: string,
  metadata: Metadata = {},
): NamelessEntry {
  return {
    timestamp,
    from: 'opencode',
    to: 'user',
    entry_type: 'unknown',
    content,
    metadata: { raw_type: kind, ...metadata },
  }
}

/** Converts files to metadata: images, and other attachments by name and kind. */
export function fileMetadata(files: readonly JsonObject[]): Metadata {
  const images: unknown[] = []
  const attachments: unknown[] = []
  for (const file of files) {
    const mime = textAt(file, 'mime') ?? ''
    const name = textAt(file, 'filename') ?? textAt(file, 'name')
    const url = textAt(file, 'url') ?? textAt(file, 'uri')
    const known = { ...(name === undefined ? {} : { name }), ...(url === undefined ? {} : { url }) }
    if (mime.startsWith('image/')) images.push(known)
    else attachments.push({ ...known, ...(mime === '' ? {} : { type: mime }) })
  }
  return {
    ...(images.length === 0 ? {} : { images }),
    ...(attachments.length === 0 ? {} : { attachments }),
  }
}

/** Puts an answer's tokens on one of its entries: its first words, else its first call, else its first entry. */
export function withUsage(
  entries: readonly NamelessEntry[],
  usage: AnswerUsage | undefined,
): readonly NamelessEntry[] {
  if (usage === undefined) return entries
  const words = entries.findIndex(({ role }) => role === 'agent')
  const call = entries.findIndex(({ entry_type: type }) => type === 'tool_call')
  const bearer = words !== -1 ? words : Math.max(call, 0)
  return entries.map((entry, at) => (at === bearer ? withMetadata(entry, { usage }) : entry))
}

/** Adds metadata to an entry, where there is any. */
export function withMetadata(entry: NamelessEntry, more: Metadata): NamelessEntry {
  if (Object.keys(more).length === 0) return entry
  return { ...entry, metadata: { ...entry.metadata, ...more } }
}

function modelOf(model: string | undefined): Metadata {
  return model === undefined ? {} : { model }
}
