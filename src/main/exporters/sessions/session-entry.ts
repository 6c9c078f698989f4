import { isJsonObject } from '../../../shared/model/basics/json-object'
import { type Entry, isCallUser } from '../../../shared/model/conversation/entry'
import { exportedText, exportKindOf } from '../parts/entry-kind'
import type { Exportable } from '../parts/exporter'

/** Kind of record that an entry becomes in a session of another program; `left out` names the loss. */
export type SessionKind =
  | { readonly type: 'user' | 'agent' | 'reasoning' | 'call' | 'result' | 'compaction' }
  | {
      readonly type: 'left out'
      readonly loss: 'reasoning' | 'tool' | 'system' | 'other' | 'note' | 'empty'
    }

/** Kinds of entries that only some formats have a place for. */
export interface SessionPlaces {
  /** The format takes thoughts without a provider's signature. */
  readonly reasoning: boolean
  /** The format has a place for a summary from which the conversation goes on. */
  readonly compaction: boolean
}

/** Returns what an entry becomes in a session. */
export function sessionKindOf(
  entry: Entry,
  conversation: Pick<Exportable, 'source'>,
  places: SessionPlaces,
): SessionKind {
  if (places.compaction && compactionSummary(entry) !== undefined) return { type: 'compaction' }
  // A message of the model by `call_user` is words; its result, and one without words, say nothing.
  if (entry.entry_type === 'flow_control_result' && entry.from === 'call_user')
    return { type: 'left out', loss: 'tool' }
  const kind = exportKindOf(entry)
  switch (kind) {
    case 'user':
      if (entry.metadata?.injected === true) return { type: 'left out', loss: 'note' }
      return isBlank(entry, conversation) ? { type: 'left out', loss: 'empty' } : { type: kind }
    case 'agent':
      return isBlank(entry, conversation) ? { type: 'left out', loss: 'empty' } : { type: kind }
    case 'call':
      return isCallUser(entry) ? { type: 'left out', loss: 'tool' } : { type: kind }
    case 'result':
      return { type: kind }
    case 'reasoning':
      if (!places.reasoning) return { type: 'left out', loss: 'reasoning' }
      return entry.content.trim() === '' ? { type: 'left out', loss: 'empty' } : { type: kind }
    case 'system':
      return { type: 'left out', loss: 'system' }
    case 'unknown':
    case 'other':
      return { type: 'left out', loss: 'other' }
  }
}

/** Providers refuse a message without words and images. */
function isBlank(entry: Entry, conversation: Pick<Exportable, 'source'>): boolean {
  return sessionText(entry, conversation).trim() === '' && sessionImages(entry) === undefined
}

/** Returns the words of a message, as people see them. */
export function sessionText(entry: Entry, conversation: Pick<Exportable, 'source'>): string {
  return exportedText('session', entry, conversation)
}

/** Returns the summary from which a compacted conversation goes on; undefined for an entry without one. */
export function compactionSummary(entry: Entry): string | undefined {
  const { entry_type: type, content, metadata = {} } = entry
  const { summary, injected, raw_type: raw } = metadata
  // Claude Code puts it into a message of its own; its boundary says only that there is one.
  if (type === 'message')
    return injected === true && raw === 'compact_summary' && content.trim() !== ''
      ? content
      : undefined
  if (type !== 'compaction' || raw === 'compact_boundary') return undefined
  const words = typeof summary === 'string' ? summary : content
  return words.trim() === '' ? undefined : words
}

/** Image that came with a message or a result. */
export interface SessionImage {
  readonly mime: string
  /** Base64. */
  readonly data: string
}

const dataUrl = /^data:(image\/[a-z0-9.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/

/** Returns the images of a person's message or of a result, whose bytes are all in the entry; undefined where one is not. */
export function sessionImages(entry: Entry): readonly SessionImage[] | undefined {
  const kind = exportKindOf(entry)
  const images = entry.metadata?.images
  if ((kind !== 'user' && kind !== 'result') || !Array.isArray(images) || images.length === 0)
    return undefined
  const found = images.map((image: unknown): SessionImage | undefined => {
    const url = isJsonObject(image) ? image.url : undefined
    const [, mime, data] = (typeof url === 'string' ? dataUrl.exec(url) : null) ?? []
    return mime === undefined || data === undefined ? undefined : { mime, data }
  })
  const all = found.filter((image) => image !== undefined)
  return all.length === found.length ? all : undefined
}

/** Returns the name of a call's tool with the characters that providers take. */
export function callToolName({ to }: Pick<Entry, 'to'>): string {
  return to.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool'
}

/** Returns a call or a result whose other half is missing as words. */
export function looseText(entry: Entry): string {
  return exportKindOf(entry) === 'call'
    ? `[Call of ${entry.to}, without a result]\n${entry.content}`
    : `[Result of ${entry.from}, without its call]\n${entry.content}`
}
