import { z } from 'zod'
import {
  type DecodeText,
  decodeTextFile,
  framedTextFile,
  type GivenTextFile,
  shownFileName,
  textFileLimits,
  textFilesFault,
} from '../../../shared/model/attachments/text-files'
import type { KeyValueStorage } from '../base/storage'

/** Text file of a draft or a queued message. */
export interface AttachedText extends GivenTextFile {
  readonly id: string
  /** As it stands in the message: what the model gets. */
  readonly frame: string
}

const decodeStrictly: DecodeText = (bytes, encoding) =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes)

let count = 0

/** Reads a given file as a text file beside others; gives the fault in a sentence where it is none, or too much. */
export function readTextFile(
  { name, bytes }: GivenTextFile,
  others: readonly GivenTextFile[],
):
  | { readonly text: AttachedText; readonly fault?: undefined }
  | { readonly text?: undefined; readonly fault: string } {
  const shown = shownFileName(name)
  // What is too large for a text may still be an image in a format that nobody takes.
  if (bytes.length <= textFileLimits.bytes) {
    const decoded = decodeTextFile(bytes, decodeStrictly)
    if ('fault' in decoded)
      return { fault: `"${shown}" is no PNG, JPEG, GIF or WebP image, and ${decoded.fault}.` }
    const fault = textFilesFault([...others, { name, bytes }], decodeStrictly)
    if (fault !== undefined) return { fault }
    const frame = framedTextFile(name, decoded.text)
    return { text: { id: `text-${++count}`, name: shown, bytes, frame } }
  }
  return {
    fault: `"${shown}" is no PNG, JPEG, GIF or WebP image, and larger than the ${textFileLimits.bytes / 1024 / 1024} MB that a text file may have.`,
  }
}

const Stored = z.array(z.object({ name: z.string(), base64: z.string() }))

/** Returns text files in a form that can be stored as JSON. */
export function textsToStore(texts: readonly GivenTextFile[]): z.infer<typeof Stored> {
  return texts.map(({ name, bytes }) => ({ name, base64: toBase64(bytes) }))
}

/** Reads text files from JSON; what is of another shape, or no text any more, is left out. */
export function textsFromStored(stored: unknown): readonly AttachedText[] {
  const texts: AttachedText[] = []
  for (const { name, base64 } of Stored.safeParse(stored).data ?? []) {
    try {
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
      const { text } = readTextFile({ name, bytes }, texts)
      if (text !== undefined) texts.push(text)
    } catch {
      // A foreign value under this name.
    }
  }
  return texts
}

/** Stores the text files of a draft under a name. Returns whether the browser took them. */
export function storeTexts(
  kept: KeyValueStorage,
  name: string,
  texts: readonly GivenTextFile[],
): boolean {
  if (texts.length > 0) return kept.set(name, JSON.stringify(textsToStore(texts)))
  kept.remove(name)
  return true
}

/** Reads the text files that are stored under a name; none where nothing of the kind is. */
export function storedTexts(kept: KeyValueStorage, name: string): readonly AttachedText[] {
  const stored = kept.get(name)
  if (stored === undefined) return []
  try {
    return textsFromStored(JSON.parse(stored))
  } catch {
    return []
  }
}

/** Characters that one call is given as arguments. */
const pieceLength = 0x8000

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += pieceLength)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceLength))
  return btoa(text)
}
