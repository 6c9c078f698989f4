import type { Disk } from '../../main/disk/interface/disk'
import { searchDecoders } from '../../main/library/search'
import type { SearchableConversation, SearchFile, SearchHit } from '../../shared/model/search'

/**
 * Returns a function that reads the whole text of a hit, from the file and in the form that search read it; undefined
 * where the file is not what it was any more.
 */
export function hitTexts(
  disk: Disk,
  conversations: readonly SearchableConversation[],
): (hit: SearchHit) => Promise<string | undefined> {
  const byName = new Map(conversations.map((one) => [`${one.source}:${one.key}`, one]))
  return async (hit) => {
    const conversation = byName.get(`${hit.source}:${hit.key}`)
    if (hit.field === 'title') return conversation?.title
    const file = conversation?.files.find(({ place }) => place === hit.file)
    return file === undefined ? undefined : textIn(disk, file, hit)
  }
}

async function textIn(disk: Disk, file: SearchFile, hit: SearchHit): Promise<string | undefined> {
  const decoder = searchDecoders[file.decoder]
  if (decoder === undefined) return undefined
  const isLine = decoder.unit === 'line'
  const bytes = await bytesOf(
    disk,
    file.path,
    isLine ? (hit.offset ?? 0) : 0,
    isLine ? (hit.length ?? 0) : file.sizeBytes,
  )
  const entries = isLine
    ? decoder.decode(bytes.toString('utf8'), hit.line ?? 1)
    : decoder.decode(bytes)
  return entries.find(({ entryId, field }) =>
    hit.field === 'damaged' ? field === 'damaged' : entryId === hit.entryId,
  )?.text
}

async function bytesOf(disk: Disk, path: string, offset: number, length: number) {
  const opened = await disk.open(path, 'read')
  try {
    const bytes = Buffer.alloc(length)
    let filled = 0
    while (filled < length) {
      const read = await opened.read(bytes.subarray(filled), offset + filled)
      if (read === 0) break
      filled += read
    }
    return bytes.subarray(0, filled)
  } finally {
    await opened.close()
  }
}

/** A line of the text around a hit. */
export interface ContextLine {
  /** In the text; counts from 1. */
  readonly line: number
  readonly text: string
  /** It has a match. */
  readonly match: boolean
}

/**
 * Picks the lines of a text that match, and `around` lines before and after each. Where none matches (a match may
 * span lines), the text's beginning.
 */
export function contextLines(
  text: string,
  isMatch: (line: string) => boolean,
  around: number,
): readonly ContextLine[] {
  const lines = text.split(/\r\n|\r|\n/)
  const matches = lines.map(isMatch)
  // A match over the end of a line is in no line: then the text's beginning is shown.
  if (!matches.includes(true)) return linesOf(lines.slice(0, around + 1), () => false)
  const isShown = new Uint8Array(lines.length)
  matches.forEach((match, at) => {
    if (match) isShown.fill(1, Math.max(0, at - around), at + around + 1)
  })
  return linesOf(lines, (at) => matches[at] === true).filter(({ line }) => isShown[line - 1] === 1)
}

function linesOf(
  lines: readonly string[],
  isMatch: (at: number) => boolean,
): readonly ContextLine[] {
  return lines.map((text, at) => ({ line: at + 1, text, match: isMatch(at) }))
}

/** Returns the title of the conversation that a hit is in; its key where it is not listed. */
export function titleOfHit(
  conversations: readonly {
    readonly source: string
    readonly key: string
    readonly title: string
  }[],
  { source, key }: SearchHit,
): string {
  return conversations.find((one) => one.source === source && one.key === key)?.title ?? key
}
