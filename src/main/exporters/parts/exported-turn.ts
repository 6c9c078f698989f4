import { unfinishedSentence } from '../../../shared/model/conversation/answer-end'
import { branchSummaryOf } from '../../../shared/model/conversation/branch-summary'
import { citationsOf } from '../../../shared/model/conversation/citations'
import {
  callUserMessage,
  type Entry,
  isAnchor,
  runErrorType,
  shownText,
  speakerOf,
} from '../../../shared/model/conversation/entry'
import {
  base64InUrl,
  imageTypeInBase64,
  sourceImage,
  sourceImageName,
} from '../../../shared/model/conversation/images'
import type { Label } from '../../../shared/model/conversation/label'
import { savedOutputNote, savedOutputOf } from '../../../shared/model/conversation/tool-results'
import type { DamagedLine, TranscriptRow } from '../../../shared/model/conversation/transcript'
import { Interruption } from '../../../shared/model/run/run'

/** Row of a transcript as a document shows it: speaker, kind, text, and notes on what is not whole about it. */
export interface ExportedTurn {
  /** `text` is Markdown for `agent`, `reasoning` and `seam`, and plain text for all others. */
  readonly type:
    | 'user'
    | 'agent'
    | 'system'
    | 'reasoning'
    | 'call'
    | 'result'
    | 'seam'
    | 'error'
    | 'other'
    | 'damaged'
  /** "You", a model, a tool, or what the row is. */
  readonly name: string
  /** Unix seconds. */
  readonly timestamp: number | null
  readonly text: string
  /** Thoughts of the model before it spoke. */
  readonly reasoning: string | undefined
  /** Attachments and whatever else hangs on it, as JSON. */
  readonly attached: string | undefined
  /** Images that can be in a document: of a kind without scripts. */
  readonly images: readonly ExportedImage[]
  /** Pages that an answer cites, by the numbers in its words. */
  readonly sources: ReturnType<typeof citationsOf>
  /** Sentences: interrupted, not complete, recovered, damaged. */
  readonly notes: readonly string[]
  /** Given in Skein. */
  readonly label: Label | undefined
}

/** Image in a document, with its bytes. */
interface ExportedImage {
  readonly name: string
  /** A `data:` address of the type that its bytes have. */
  readonly url: string
}

/** Makes a turn of a row. Nothing is left out but usage and other metadata. */
export function exportedTurn(row: TranscriptRow): ExportedTurn {
  return row.type === 'damaged' ? damagedTurn(row.damaged) : entryTurn(row.entry)
}

const interruptions: Readonly<Record<Interruption, string>> = {
  stopped: 'Stopped by a person. What came is kept.',
  failed: 'The answer broke off here. What came is kept.',
  crashed: 'The program ended while this was being written. What had come is kept.',
}

function entryTurn(entry: Entry): ExportedTurn {
  const { metadata = {} } = entry
  const turn: ExportedTurn = {
    ...kindOf(entry),
    timestamp: entry.timestamp,
    text: shownText(entry),
    reasoning: words(metadata.reasoning),
    attached: attachedTo(entry),
    images: imagesOf(entry).flatMap(({ image }) => image ?? []),
    sources: citationsOf(metadata),
    notes: notesOf(entry),
    label: entry.label,
  }
  // The content of a seam is its name; the text is what a compaction kept.
  return turn.type === 'seam' ? { ...turn, text: words(metadata.summary) ?? '' } : turn
}

function kindOf(entry: Entry): Pick<ExportedTurn, 'type' | 'name'> {
  if (branchSummaryOf(entry) !== undefined)
    return { type: 'system', name: 'Summary of another branch' }
  switch (speakerOf(entry)) {
    case 'user':
      return { type: 'user', name: ['', 'user'].includes(entry.from) ? 'You' : entry.from }
    case 'agent':
      return agent(entry)
    case 'system':
      return { type: 'system', name: 'System' }
    case undefined:
      break
  }
  if (isAnchor(entry)) return { type: 'seam', name: entry.content || entry.entry_type }
  switch (entry.entry_type) {
    case 'reasoning':
      return { type: 'reasoning', name: 'Reasoning' }
    case 'tool_call':
    case 'flow_control_call':
      return { type: 'call', name: entry.to }
    case 'tool_result':
    case 'flow_control_result':
      return { type: 'result', name: entry.from }
    case 'system_prompt_changed':
      return { type: 'system', name: 'System prompt changed' }
    case runErrorType:
      return { type: 'error', name: 'Error' }
    default:
      return { type: 'other', name: entry.entry_type }
  }
}

function agent(entry: Entry): Pick<ExportedTurn, 'type' | 'name'> {
  return { type: 'agent', name: words(entry.metadata?.model) ?? 'Assistant' }
}

/** Keys of an entry's metadata that documents show below its text. */
export const attachedKeys = ['attachments', 'images', 'audio', 'reaction']

function attachedTo(entry: Entry): string | undefined {
  const { metadata = {} } = entry
  // Of an unknown type everything is shown: any of it may matter.
  const isKnown = kindOf(entry).type !== 'other'
  const others = callUserMessage(entry)?.others
  // What is shown as an image is named there.
  const unshown = imagesOf(entry).flatMap(({ told, image }) => (image === undefined ? [told] : []))
  const shown = [
    ...Object.entries(metadata).filter(
      ([key, value]) =>
        value != null && key !== 'images' && (!isKnown || attachedKeys.includes(key)),
    ),
    ...(unshown.length === 0 ? [] : [['images', unshown] as const]),
    ...(others === undefined ? [] : [['arguments', JSON.parse(others) as unknown] as const]),
  ]
  return shown.length === 0 ? undefined : JSON.stringify(Object.fromEntries(shown), undefined, 2)
}

function imagesOf({ metadata }: Entry): readonly {
  readonly told: unknown
  readonly image: ExportedImage | undefined
}[] {
  const images = metadata?.images
  if (images == null) return []
  if (!Array.isArray(images)) return [{ told: images, image: undefined }]
  return images.map((told: unknown) => {
    const image = sourceImage(told)
    const base64 = base64InUrl(image.url)?.replace(/\s/g, '')
    const type = base64 === undefined ? undefined : imageTypeInBase64(base64)
    const isPlain = base64 !== undefined && /^[A-Za-z0-9+/]+={0,2}$/.test(base64)
    if (type === undefined || !isPlain) return { told, image: undefined }
    const url = `data:${type.mime};base64,${base64}`
    return { told, image: { name: sourceImageName(image), url } }
  })
}

/** Images of an export whose bytes are not at hand. */
function missingImages(entry: Entry): readonly string[] {
  return imagesOf(entry).flatMap(({ told, image }) => {
    const known = sourceImage(told)
    if (image !== undefined || known.asset === undefined) return []
    return [
      `The image ${sourceImageName(known)} is not in the export, or is no image that can be shown.`,
    ]
  })
}

function notesOf(entry: Entry): readonly string[] {
  const { metadata = {} } = entry
  const interrupted = Interruption.safeParse(metadata.interrupted)
  const unfinished = unfinishedSentence(metadata)
  const saved = savedOutputOf(entry)
  const output = saved === undefined ? undefined : savedOutputNote(saved)
  return [
    ...(interrupted.success ? [interruptions[interrupted.data]] : []),
    ...(unfinished === undefined ? [] : [unfinished]),
    ...(output === undefined ? [] : [output]),
    ...missingImages(entry),
    ...(isSet(metadata.recovered) ? ['Recovered from a damaged line.'] : []),
    ...(isSet(metadata.damaged)
      ? ['Some bytes of its line are no text; they are shown as U+FFFD.']
      : []),
    ...(isSet(metadata.seam) ? ['Its parent is missing; it goes on from the entry above.'] : []),
  ]
}

function damagedTurn(damaged: DamagedLine): ExportedTurn {
  const { file, line, offset, length, reason, torn } = damaged
  const where = line === undefined ? file : `${file}, line ${line}`
  const shown = Buffer.from(damaged.bytes, 'base64')
  const cut = shown.length < length ? ` The first ${shown.length} of them:` : ''
  return {
    type: 'damaged',
    name: torn === true ? 'Unfinished line' : 'Damaged line',
    timestamp: null,
    text: shown.toString('utf8'),
    reasoning: undefined,
    attached: undefined,
    images: [],
    sources: [],
    label: undefined,
    notes: [`${where}: ${reason}. ${length} bytes at offset ${offset}.${cut}`],
  }
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false
}
