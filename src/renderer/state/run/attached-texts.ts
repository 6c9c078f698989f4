import { z } from 'zod'
import {
  type DecodeText,
  decodeTextFile,
  framedTextFile,
  type GivenTextFile,
  shownFileName,
  textAmountFault,
  textFileLimits,
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

/** Reads a given file as a text file beside others, which were read; gives the fault in a sentence where it is none, or too much. */
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
    const fault = textAmountFault([...others, { name, bytes }])
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
      const bytes = fromBase64(base64)
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

/** Of files that were encoded: each change of a queue or a draft stores all of them again. */
const encoded = new WeakMap<Uint8Array, string>()

function toBase64(bytes: Uint8Array): string {
  const known = encoded.get(bytes)
  if (known !== undefined) return known
  let text = ''
  for (let at = 0; at < bytes.length; at += pieceLength)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceLength))
  const base64 = btoa(text)
  encoded.set(bytes, base64)
  return base64
}

/** @throws DOMException where it is no base64 */
function fromBase64(base64: string): Uint8Array {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  // A function called for each byte takes ten times as long.
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
