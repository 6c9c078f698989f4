import type { Entry } from '../../../shared/model/conversation/entry'
import { cutText } from '../../ui/format/cut-text'
import { visibleText } from '../../ui/format/visible-text'

/** A file that was sent along, in the source's own words; one that it does not know is undefined. */
export interface AttachedFile {
  readonly name: string | undefined
  /** "image/png". */
  readonly type: string | undefined
  /** "926KB". */
  readonly size: string | undefined
  /** The source could not fetch it. */
  readonly isFailed: boolean
}

/** Chips of one message at most. */
export const maxAttachedFiles = 40

/** The files that an entry tells of; what has another shape is left to the raw view. */
export function attachedFilesOf({ metadata }: Entry): readonly AttachedFile[] {
  const told = metadata?.attachments
  if (!Array.isArray(told)) return []
  return told.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { filename, mime_type: type, size } = one as Readonly<Record<string, unknown>>
    if (typeof filename !== 'string') return []
    const isFailed = size === failed
    const words = isFailed ? undefined : wordOf(size)
    return [{ name: wordOf(filename), type: wordOf(type), size: words, isFailed }]
  })
}

/** fluux-agent's words. */
const failed = 'download failed'
const unknown = 'unknown'
const wordUnits = 200

function wordOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value === unknown) return undefined
  const { shown, isCut } = cutText(value, 1, wordUnits)
  return `${visibleText(shown).trim()}${isCut ? '…' : ''}`
}

/** Tells whether files or images came with an entry, so that it may have no words of its own. */
export function hasAttachedFiles({ metadata }: Entry): boolean {
  return metadata?.attachments !== undefined || metadata?.images !== undefined
}
