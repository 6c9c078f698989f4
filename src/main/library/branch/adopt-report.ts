import { countWithNoun } from '../../../shared/model/basics/plural'
import { type Entry, speakerOf } from '../../../shared/model/conversation/entry'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import type { AdoptReport } from '../../../shared/model/family/branching'
import { movedBeforeCalls, openingPrompt } from './adopt-entries'
import { type AdoptedText, adoptedTexts, namedAttachments, type PutIntoText } from './adopted-texts'

/** The parts of a conversation besides the entries of a path. */
interface BesidePath {
  /** Damaged lines. */
  readonly damaged: number
  /** Lines that are no message. */
  readonly control: number
  readonly unread: readonly UnreadPart[]
}

/** Describes what becomes of a foreign path when it is copied, for people. */
export function adoptReportOf(path: readonly Entry[], lines: BesidePath): AdoptReport {
  const wordsOf = adoptedTexts(path)
  const copies = path.map((entry) => ({ entry, words: wordsOf(entry) }))
  const countOf = (fate: Fate) => copies.filter((copy) => fateOf(copy) === fate).length
  return {
    entries: path.length,
    kept: countOf('kept'),
    flattened: countOf('flattened'),
    dropped: countOf('dropped') + lines.unread.length,
    ...(lines.unread.length === 0 ? {} : { unread: lines.unread.length }),
    notes: [
      ...unreadNotes(lines.unread),
      ...mappedNotes(path),
      ...flattenedNotes(copies),
      ...droppedNotes(path, copies, lines),
    ],
  }
}

interface Copy {
  readonly entry: Entry
  readonly words: AdoptedText
}

type Fate = 'kept' | 'flattened' | 'dropped'

function fateOf({ entry, words }: Copy): Fate {
  if (!isSaid(entry) && !isOfCall(entry) && entry.entry_type !== 'document') return 'dropped'
  if (isSilent({ entry, words })) return 'dropped'
  return words.put.size > 0 || hasUnsent(entry) ? 'flattened' : 'kept'
}

type Notes = readonly string[]

/** Nobody can say how many entries stood there. */
function unreadNotes(unread: readonly UnreadPart[]): Notes {
  return unread.map(
    ({ sentence, fromByte }) =>
      `${sentence} Its content after byte ${fromByte.toLocaleString('en')} is not in the copy.`,
  )
}

function mappedNotes(path: readonly Entry[]): Notes {
  const prompts = openingPrompt(path).length
  const laterSystem = path.filter((entry) => speakerOf(entry) === 'system').length - prompts
  const times = path.map(({ timestamp }) => timestamp)
  return [
    ...told(
      prompts,
      ['system prompt is', 'system prompts are'],
      'used as the prompt of the new context',
    ),
    ...told(laterSystem, ['later system message is', 'later system messages are'], 'kept in place'),
    ...told(
      times.filter((time) => time === null).length,
      ['entry had', 'entries had'],
      'no time and got that of the entry before, or of the beginning',
    ),
    ...told(
      times.filter((time) => time !== null && !Number.isInteger(time)).length,
      ['time was', 'times were'],
      'cut to whole seconds; the exact one is in the metadata',
    ),
    ...told(
      movedBeforeCalls(path),
      ['entry was', 'entries were'],
      'put before the tool calls of the same line',
    ),
  ]
}

function flattenedNotes(copies: readonly Copy[]): Notes {
  const countOf = (what: PutIntoText) => copies.filter(({ words }) => words.put.has(what)).length
  return [
    ...told(
      countOf('name'),
      ['message begins', 'messages begin'],
      'with the name of its speaker, since the model gets only the text',
    ),
    ...told(countOf('reaction'), ['reaction is', 'reactions are'], 'written as a line of text'),
    ...told(
      countOf('attachments'),
      ['message names', 'messages name'],
      'attachments in the text; the files are not sent',
    ),
    ...told(
      countOf('document'),
      ['page of text is', 'pages of text are'],
      'sent as a user message, with all its speakers',
    ),
    ...told(
      copies.filter(({ entry }) => hasUnsent(entry)).length,
      ['entry has', 'entries have'],
      'images or attachments that are not sent to the model; they are kept in the metadata',
    ),
    ...told(
      unanswered(copies.map(({ entry }) => entry)),
      ['tool call has', 'tool calls have'],
      'no result; the model gets a note that none was kept',
    ),
  ]
}

function droppedNotes(path: readonly Entry[], copies: readonly Copy[], lines: BesidePath): Notes {
  const reasoning = path.filter(isReasoning).length
  const empty = copies.filter(isSilent).length
  const dropped = copies.filter((copy) => fateOf(copy) === 'dropped').length
  return [
    ...told(reasoning, ['text of reasoning is', 'texts of reasoning are'], 'kept, not sent'),
    ...told(empty, ['empty message is', 'empty messages are'], 'not sent'),
    ...told(
      dropped - reasoning - empty,
      ['entry is', 'entries are'],
      'of a kind that is shown but not sent',
    ),
    ...told(lines.damaged, ['damaged line was', 'damaged lines were'], 'not copied'),
    ...told(
      lines.control,
      ['line without a message was', 'lines without a message were'],
      'left out (such as the title)',
    ),
  ]
}

function told(count: number, [one, many]: readonly [string, string], what: string): Notes {
  if (count <= 0) return []
  return [`${countWithNoun(count, one, many)} ${what}.`]
}

function isSaid(entry: Entry): boolean {
  return speakerOf(entry) !== undefined
}

/** Whether nothing of what somebody said is sent. */
function isSilent({ entry, words }: Copy): boolean {
  const showsOne = speakerOf(entry) === 'user' && imagesOf(entry).some(isWhole)
  return isSaid(entry) && words.content === '' && !showsOne
}

function isReasoning(entry: Entry): boolean {
  return entry.entry_type === 'reasoning'
}

function isOfCall({ entry_type }: Entry): boolean {
  return entry_type === 'tool_call' || entry_type === 'tool_result'
}

/**
 * Whether something hangs on an entry that is neither text, nor named in its text, nor an image that is sent: those that the
 * metadata holds whole go with a person's words; an address is not looked up, and a file elsewhere is not copied.
 */
function hasUnsent(entry: Entry): boolean {
  const { attachments } = entry.metadata ?? {}
  const images = imagesOf(entry)
  if (images.length > 0 && (speakerOf(entry) !== 'user' || !images.every(isWhole))) return true
  const isNone = Array.isArray(attachments) && attachments.length === 0
  return attachments !== undefined && !isNone && namedAttachments(entry).length === 0
}

function imagesOf({ metadata }: Entry): readonly unknown[] {
  const images = metadata?.images
  return images === undefined ? [] : [images].flat()
}

function isWhole(image: unknown): boolean {
  const url = typeof image === 'string' ? image : (image as { url?: unknown } | null)?.url
  return typeof url === 'string' && dataUrl.test(url)
}

/** As `llm/images` sends it. */
const dataUrl = /^data:image\/[a-z0-9.+-]+;base64,/i

/** Calls less the results that name them, or that stand there without a name. */
function unanswered(path: readonly Entry[]): number {
  const waiting = new Map<string, number>()
  let nameless = 0
  for (const { entry_type, tool_call_id: id } of path) {
    const step = entry_type === 'tool_call' ? 1 : entry_type === 'tool_result' ? -1 : 0
    if (id === undefined) nameless = Math.max(0, nameless + step)
    else waiting.set(id, Math.max(0, (waiting.get(id) ?? 0) + step))
  }
  return [...waiting.values()].reduce((sum, count) => sum + count, nameless)
}
