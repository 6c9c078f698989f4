import { visibleText } from '../../../shared/model/basics/visible'
import type { Entry } from '../../../shared/model/conversation/entry'
import { EntryImage, KeptImage, sourceImage } from '../../../shared/model/conversation/images'
import { cutText } from '../../ui/format/cut-text'

/** File attached to an entry, in the source's own words; unknown ones are undefined. */
export interface AttachedFile {
  readonly name: string | undefined
  /** "image/png". */
  readonly type: string | undefined
  /** "926KB". */
  readonly size: string | undefined
  /** The source could not fetch it. */
  readonly isFailed: boolean
}

/** Most chips of one message. */
export const maxAttachedFiles = 40

/**
 * Returns the files in an entry's metadata, and the images of which the conversation has a name or an address alone; values of another
 * shape are left to the raw view.
 */
export function attachedFilesOf({ metadata }: Entry): readonly AttachedFile[] {
  return [...filesIn(metadata?.attachments), ...namedImages(metadata?.images)]
}

function namedImages(images: unknown): readonly AttachedFile[] {
  if (!Array.isArray(images)) return []
  return images.flatMap((one: unknown) => {
    if (EntryImage.safeParse(one).success || KeptImage.safeParse(one).success) return []
    const { filename, name, url } = sourceImage(one)
    const known = [filename, name, url].find((word) => word !== undefined && word !== '')
    return known === undefined
      ? []
      : [{ name: wordOf(known), type: 'image', size: undefined, isFailed: false }]
  })
}

function filesIn(attachments: unknown): readonly AttachedFile[] {
  if (!Array.isArray(attachments)) return []
  return attachments.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { filename, name, mime_type: type, size } = one as Readonly<Record<string, unknown>>
    if (typeof (filename ?? name) !== 'string') return []
    const isFailed = size === failed
    const words = isFailed ? undefined : wordOf(size)
    return [{ name: wordOf(filename ?? name), type: wordOf(type), size: words, isFailed }]
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

/** Returns true where files or images came with an entry, so that it may have no text of its own. */
export function hasAttachedFiles({ metadata }: Entry): boolean {
  return metadata?.attachments !== undefined || metadata?.images !== undefined
}
