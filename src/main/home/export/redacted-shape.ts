import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { Entry } from '../../../shared/model/conversation/entry'
import { longestTag } from '../../../shared/model/conversation/tag'
import type { DamagedLine, FileLedger } from '../../../shared/model/conversation/transcript'
import type { Exportable } from '../../exporters/parts/exporter'

/** Steps for the texts of a value whose members are ours. */
export interface TextSteps {
  /** Free texts, and values of other programs with the names of their members. */
  readonly text: <T>(value: T) => T
  /** Names that link, order or say what something is: only what has the form of a secret is replaced. */
  readonly link: (text: string) => string
}

/** Head of a conversation: all of it but its rows and files. */
export type ExportableHead = Omit<Exportable, 'rows' | 'files' | 'originals' | 'told' | 'active'>

const links: ReadonlySet<string> = new Set(['id', 'parent', 'tool_call_id', 'entry_type'])
const fixed: ReadonlySet<string> = new Set([
  ...['timestamp', 'role', 'flow_control', 'line', 'offset', 'length', 'inherited', 'wholeLength'],
])
/** Names in `from` and `to` by which the speaker is told. */
const speakers: ReadonlySet<string> = new Set([
  ...['', 'user', 'agent', 'assistant', 'model', 'system', 'tool', 'call_user'],
])
/** Members of metadata that are ours and have members of ours in them, or free texts. */
const ownMembers: ReadonlySet<string> = new Set([
  ...[
    'attachments',
    'audio',
    'branch_summary',
    'cached',
    'citations',
    'cleared_summary',
    'compaction',
  ],
  ...[
    'continued_by',
    'damaged',
    'error',
    'exported',
    'files',
    'finish',
    'finish_word',
    'flagged_input',
    'images',
    'inbox',
  ],
  ...['injected', 'interrupted', 'is_error', 'kept', 'model', 'msg_id', 'origin', 'project'],
  ...[
    'provider_name',
    'raw_ts',
    'raw_type',
    'reaction',
    'reasoning',
    'reasons',
    'recovered',
    'replaced_prompt',
  ],
  ...[
    'replaced_summary',
    'reply',
    'returned',
    'returned_call',
    'saved_output',
    'seam',
    'sender',
    'speech',
  ],
  ...['subagent', 'summary', 'usage', 'without_parameters', 'without_tools'],
])
/** Members of metadata that are ours and hold what another program has. */
const foreignMembers: ReadonlySet<string> = new Set([
  ...['deep_fields', 'headers', 'raw_fields', 'request'],
])
/** Members anywhere in our own whose text is none of a person's. */
const kinds: ReadonlySet<string> = new Set([
  ...[
    'data',
    'encoding',
    'finish',
    'id',
    'kind',
    'media_type',
    'mediaType',
    'mime',
    'mimeType',
    'msg_id',
    'raw_ts',
  ],
  ...['raw_type', 'sha256', 'timestamp', 'type'],
])

/** Shapes an entry anew: its texts as the steps give them, its own members and links as they are. */
export function shapedEntry(entry: Entry, steps: TextSteps): Entry {
  const members = Object.entries(entry).map(([name, value]): [string, unknown] => {
    if (fixed.has(name)) return [name, value]
    if (links.has(name)) return [name, typeof value === 'string' ? steps.link(value) : value]
    if (name === 'from' || name === 'to')
      return [name, typeof value === 'string' && speakers.has(value) ? value : steps.text(value)]
    if (name === 'label' && isJsonObject(value))
      return [name, { ...value, word: labelWord(steps.text(value.word)) }]
    if (name === 'metadata' && isJsonObject(value)) return [name, shapedMetadata(value, steps)]
    return [name, steps.text(value)]
  })
  const shaped = Object.fromEntries(members) as Entry
  return shaped.content === entry.content ? shaped : withoutPlaces(shaped)
}

/** As long as a label may be: what is put in the place of a secret may be longer. */
function labelWord(word: unknown): unknown {
  if (typeof word !== 'string') return word
  return Array.from(word).slice(0, longestTag).join('')
}

/** Takes from text files where they are in the content: it is another one. They stay among its words. */
function withoutPlaces(entry: Entry): Entry {
  const { files } = entry.metadata ?? {}
  if (!Array.isArray(files)) return entry
  const unplaced = files.map((file: unknown) => {
    if (!isJsonObject(file)) return file
    const { start: _start, end: _end, ...rest } = file
    return rest
  })
  return { ...entry, metadata: { ...entry.metadata, files: unplaced } }
}

/** Shapes the head of a conversation anew. */
export function shapedHead<Head extends ExportableHead>(head: Head, { text }: TextSteps): Head {
  const { source, created, updated, parent, ...free } = head
  const members = Object.entries(free).map(([name, value]) => [name, text(value)])
  return {
    ...head,
    ...Object.fromEntries(members),
    ...(parent == null ? {} : { parent: { ...parent, key: text(parent.key) } }),
  }
}

/** Members of an export's first line that hold a number, or a word of Skein's own. */
const fixedOfHead: ReadonlySet<string> = new Set([
  ...['skeinExport', 'pinned', 'color', 'hidden', 'forkRule'],
])
const textsOfHead: ReadonlySet<string> = new Set([
  ...['title', 'storedTitle', 'key', 'project', 'tags', 'models', 'formerKeys', 'subagentOf'],
])

/** Shapes the first line of an earlier export anew, in the order of its members; anybody may have written it. */
export function shapedEarlierHead(head: JsonObject, steps: TextSteps): JsonObject {
  const shaped: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(head))
    if (fixedOfHead.has(name)) shaped[name] = value
    else if (name === 'created' || name === 'updated')
      shaped[name] = isTime(value) ? value : steps.text(value)
    else if (name === 'source' && typeof value === 'string') shaped[name] = steps.link(value)
    else if (name === 'parent' && isJsonObject(value))
      shaped[name] = shapedMembers(value, ['key', 'entries'], steps)
    else if (textsOfHead.has(name)) shaped[name] = steps.text(value)
    else putFree(shaped, name, value, steps)
  return shaped
}

function isTime(value: unknown): boolean {
  return value === null || (typeof value === 'string' && /^[\d:.TZ+-]+$/.test(value))
}

/** Shapes what a history says of itself anew, with the names that its program looks for. */
export function shapedMeta(meta: JsonObject, steps: TextSteps): JsonObject {
  return shapedMembers(meta, ['title', 'titleLocked'], steps)
}

function shapedMembers(object: JsonObject, known: readonly string[], steps: TextSteps) {
  const shaped: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object))
    if (known.includes(name)) shaped[name] = steps.text(value)
    else putFree(shaped, name, value, steps)
  return shaped
}

/** A member that is none of ours: its name is redacted too, and none takes the place of another. */
function putFree(
  shaped: Record<string, unknown>,
  name: string,
  value: unknown,
  { text }: TextSteps,
): void {
  for (const [given, held] of Object.entries(text({ [name]: value })))
    shaped[given in shaped ? `${given} ` : given] = held
}

/** Shapes what is told of a damaged line anew; not its bytes. */
export function shapedLine<Line extends Pick<DamagedLine, 'reason'> & { readonly file?: string }>(
  line: Line,
  { text }: TextSteps,
): Line {
  const file = line.file === undefined ? {} : { file: text(line.file) }
  return { ...line, ...file, reason: text(line.reason) }
}

/** Shapes a ledger anew; not its damaged lines. */
export function shapedLedger(ledger: FileLedger, { text }: TextSteps): FileLedger {
  return { ...ledger, file: text(ledger.file) }
}

function shapedMetadata(
  metadata: Readonly<Record<string, unknown>>,
  steps: TextSteps,
): Record<string, unknown> {
  const shaped: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(metadata))
    if (ownMembers.has(name)) shaped[name] = shapedOwn(name, value, steps)
    else if (foreignMembers.has(name)) shaped[name] = steps.text(value)
    else putFree(shaped, name, value, steps)
  return shaped
}

function shapedOwn(name: string, value: unknown, steps: TextSteps): unknown {
  if (typeof value === 'string') {
    const isKind = kinds.has(name) || value.startsWith('data:')
    return isKind ? steps.link(value) : steps.text(value)
  }
  if (Array.isArray(value)) return value.map((one) => shapedOwn(name, one, steps))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, held]) => [member, shapedOwn(member, held, steps)]),
  )
}
