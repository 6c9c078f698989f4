import { z } from 'zod'
import { isPdf } from '../../../shared/model/attachments/pdf'
import {
  type DecodeText,
  decodeTextFile,
  framedTextFile,
  type GivenTextFile,
  longestOf,
  shownFileName,
  textAmountFault,
} from '../../../shared/model/attachments/text-files'
import type { ReadTextFile } from '../../../shared/model/attachments/with-pdf-text'
import type { KeyValueStorage } from '../base/storage'

/** Text file of a draft or a queued message. */
export interface AttachedText extends ReadTextFile {
  readonly id: string
  /** As it stands in the message: what the model gets. */
  readonly frame: string
}

const decodeStrictly: DecodeText = (bytes, encoding) =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes)

let count = 0

/** Reads a given file as a text file beside others, which were read; gives the fault in a sentence where it is none, or too much. */
export function readTextFile(
  file: ReadTextFile,
  others: readonly GivenTextFile[],
):
  | { readonly text: AttachedText; readonly fault?: undefined }
  | { readonly text?: undefined; readonly fault: string } {
  const name = shownFileName(file.name)
  // What is no text may be an image in a format that nobody takes.
  const what = isPdf(file.bytes) ? `"${name}"` : `"${name}" is no PNG, JPEG, GIF or WebP image, and`
  const most = longestOf(file)
  if (file.bytes.length > most)
    return {
      fault: `${what} is larger than the ${most / 1024 / 1024} MB that ${isPdf(file.bytes) ? 'a PDF' : 'a text file'} may have.`,
    }
  const decoded = decodeTextFile(file, decodeStrictly)
  if ('fault' in decoded) return { fault: `${what} ${decoded.fault}.` }
  const fault = textAmountFault([...others, file])
  if (fault !== undefined) return { fault }
  const frame = framedTextFile(file.name, decoded.text)
  return { text: { ...file, id: `text-${++count}`, name, frame } }
}

const Stored = z.array(
  z.union([
    z.object({ name: z.string(), base64: z.string() }),
    z.object({ name: z.string(), text: z.string(), note: z.string().optional() }),
  ]),
)

/** Returns text files in a form that can be stored as JSON: of a PDF its text alone, since the browser's storage is small. */
export function textsToStore(texts: readonly ReadTextFile[]): z.infer<typeof Stored> {
  return texts.map(({ name, bytes, text, note }) =>
    text === undefined
      ? { name, base64: toBase64(bytes) }
      : { name, text, ...(note === undefined ? {} : { note }) },
  )
}

/** Reads text files from JSON; what is of another shape, or no text any more, is left out. What was a PDF is a text file now. */
export function textsFromStored(stored: unknown): readonly AttachedText[] {
  const texts: AttachedText[] = []
  for (const one of Stored.safeParse(stored).data ?? []) {
    try {
      const { name } = one
      const file =
        'text' in one
          ? { name, bytes: new TextEncoder().encode(one.text), note: one.note }
          : { name, bytes: fromBase64(one.base64) }
      const read = readTextFile(file, texts)
      if (read.text !== undefined) texts.push(read.text)
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
  if (texts.length > 0 && kept.set(name, JSON.stringify(textsToStore(texts)))) return true
  // What was stored before are other files.
  kept.remove(name)
  return texts.length === 0
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
