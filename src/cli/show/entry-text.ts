import path from 'node:path'
import type { Disk } from '../../main/disk/interface/disk'
import { entryHeading } from '../../main/exporters/documents/text'
import { type Entry, shownText } from '../../shared/model/conversation/entry'
import { type Arguments, countFlag, UsageError, wordFlag } from '../command/arguments'
import { localSecond } from '../terminal/local-time'
import { jsonOutput, type Output, terminalText } from '../terminal/output'
import { oneLine } from '../terminal/shown-name'

/** `text` is for reading, `simple` a line an entry, `pretty` says what else is known, `raw` the source's own lines. */
const entryFormats = ['text', 'simple', 'pretty', 'json', 'raw'] as const

/** Options of `printEntries`, for a command's own list. */
export const entryFormatOptions = [
  [
    '-f, --format F',
    'text, simple (a line each), pretty (with details), json, or raw: the lines of the source',
  ],
  ['--max N', 'at most N characters of each entry in text and pretty'],
] as const

/**
 * Gives a function that prints entries one by one as the options say; `json` is an entry a line.
 *
 * @param root what the places of the entries are relative to
 * @throws UsageError
 */
export function entryPrinter(
  args: Arguments,
  output: Output,
  disk: Disk,
): (entry: Entry, root: string) => Promise<void> {
  const format = args.json ? 'json' : (wordFlag(args, 'format', entryFormats) ?? 'text')
  const max = countFlag(args, 'max')
  if (max === 0) throw new UsageError('--max needs a number from 1 up.')
  let lastLine = ''
  return async (entry, root) => {
    if (format === 'json') return output.write(jsonOutput(entry))
    if (format === 'simple') return output.write(`${simple(entry)}\n`)
    if (format === 'text') return output.write(`${text(entry, max)}\n\n`)
    if (format === 'pretty') return output.write(`${text(entry, max, details(entry))}\n\n`)
    // A line with several entries is one line.
    const { file, offset } = entry
    if (lastLine === `${file}:${offset}`) return
    lastLine = `${file}:${offset}`
    return output.write(`${await sourceLine(disk, root, entry)}\n`)
  }
}

/** The bytes of the entry's line as they stand in the file; what is no UTF-8 shows as U+FFFD. @throws DiskError */
async function sourceLine(disk: Disk, root: string, { file, offset, length }: Entry) {
  const opened = await disk.open(path.join(root, file), 'read')
  try {
    const bytes = Buffer.alloc(length)
    for (let at = 0; at < length; ) {
      const read = await opened.read(bytes.subarray(at), offset + at)
      if (read === 0) break
      at += read
    }
    return bytes.toString('utf8').replace(/\r$/, '')
  } finally {
    await opened.close()
  }
}

function text(entry: Entry, max: number | undefined, more = ''): string {
  const at = localSecond(entry.timestamp)
  const time = at === undefined ? '' : `  ${at}`
  const said = [...besideText(entry), shownText(entry)]
  const words = terminalText(said.map((part) => cut(part, max)).join('\n\n'))
  return `${terminalText(entryHeading(entry))}${time}${labelOf(entry)}${more}\n${words}`.trimEnd()
}

/** Details of an entry besides its text: attachments, the reaction and the reasoning before it. */
function besideText({ metadata = {} }: Entry): readonly string[] {
  const { reasoning, reaction } = metadata
  const emojis = emojisOf(reaction)
  return [
    ...attachedLines(metadata),
    ...(emojis.length === 0 ? [] : [`Reaction: ${emojis.join(' ')}`]),
    ...(typeof reasoning === 'string' && reasoning !== '' ? [`Reasoning: ${reasoning}`] : []),
  ]
}

function emojisOf(reaction: unknown): readonly unknown[] {
  if (typeof reaction !== 'object' || reaction === null) return []
  const { emojis } = reaction as { readonly emojis?: unknown }
  return Array.isArray(emojis) ? emojis.filter((one) => typeof one === 'string') : []
}

/** Lists what came along with an entry, a line each: its name, its kind and, with `places`, where it is. */
export function attachedLines(
  { images, attachments }: Readonly<Record<string, unknown>>,
  places = false,
): readonly string[] {
  return [...named('Attached', attachments, places), ...named('Image', images, places)]
}

function named(label: string, list: unknown, places: boolean): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const fields = one as Readonly<Record<string, unknown>>
    const { filename, name, mime_type: type, mime, size, file, url } = fields
    const about = [type ?? mime, size].filter((word) => typeof word === 'string').join(', ')
    const shown = filename ?? name
    if (typeof shown !== 'string') return []
    const place = places ? (file ?? url) : undefined
    const behind = typeof place === 'string' ? `: ${place}` : ''
    return [`${label}: ${shown}${about === '' ? '' : ` (${about})`}${behind}`]
  })
}

/** The first `max` characters, and how many there would be more. */
function cut(words: string, max: number | undefined): string {
  if (max === undefined || words.length <= max) return words
  const characters = Array.from(words)
  if (characters.length <= max) return words
  return `${characters.slice(0, max).join('')}… (${characters.length - max} more characters)`
}

const simpleWords = 80

/** The day and time where somebody sits, who, and the first words. */
function simple(entry: Entry): string {
  const { timestamp, metadata } = entry
  const time = localSecond(timestamp) ?? '-'
  const line = oneLine(shownText(entry)).trim()
  const characters = Array.from(line.slice(0, simpleWords * 4))
  const words =
    characters.length <= simpleWords ? line : `${characters.slice(0, simpleWords - 1).join('')}…`
  const spoken = details({ metadata })
  return terminalText(`${time}  ${entryHeading(entry)}${labelOf(entry)}  ${words}`) + spoken
}

function labelOf({ label }: Pick<Entry, 'label'>): string {
  return label === undefined ? '' : terminalText(`  [${label.word}]`)
}

const told = ['model', 'provider', 'voice', 'transport', 'timing'] as const

/** Returns the entry's model and how it was spoken: ` (whisper, local, record 3.2s)`. */
function details({ metadata }: Pick<Entry, 'metadata'>): string {
  const speech = metadata?.speech
  const fields =
    typeof speech === 'object' && speech !== null ? { ...metadata, ...speech } : metadata
  const values = told.flatMap((name) => {
    const value: unknown = Reflect.get(fields ?? {}, name)
    return typeof value === 'string' && value !== '' ? [value] : []
  })
  return values.length === 0 ? '' : terminalText(`  (${values.join(', ')})`)
}
