import { z } from 'zod'
import { shownImageName } from '../conversation/images'
import { utf8Length } from '../statistics/utf8-length'
import { closingFence } from './open-fence'
import { isPdf, pdfLimits } from './pdf'

/** Limits of the text files of one message: more is no message any more, and no model reads it. Sizes in bytes, of a PDF's text in UTF-8. */
export const textFileLimits = {
  count: 20,
  /** Of one file. */
  bytes: 1024 * 1024,
  /** Of all files of a message. */
  totalBytes: 2 * 1024 * 1024,
} as const

/** A text file, or a PDF, as a person gives it. The name is shown to people and the model, and decides nothing. */
export interface GivenTextFile {
  readonly name: string
  readonly bytes: Uint8Array
  /** The text that was read from a PDF. That of other files is in their bytes. */
  readonly text?: string | undefined
}

const encodings = ['utf-8', 'utf-16le', 'utf-16be'] as const
/** Encoding of a text file; that of UTF-16 is told by its byte order mark. */
export type TextEncodingName = (typeof encodings)[number]

/**
 * A function that decodes bytes, without a byte order mark, and throws where they are not of the encoding: a strict TextDecoder, which
 * both sides have and this room has not.
 */
export type DecodeText = (bytes: Uint8Array, encoding: TextEncodingName) => string

/** A text file of a message, kept in the context's folder: an element of `metadata.files`. */
export const KeptTextFile = z.object({
  /** Below the context's folder, with slashes: `attachments/<sha256>.txt`, or `.pdf`. */
  file: z.string(),
  name: z.string(),
  bytes: z.int().nonnegative(),
  /** `pdf`: the text was read from one. */
  encoding: z.enum([...encodings, 'pdf']),
  /** In hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Where its frame is in the entry's content, in UTF-16 units; absent where a plugin changed the message. */
  start: z.int().nonnegative().optional(),
  end: z.int().nonnegative().optional(),
})
export type KeptTextFile = z.infer<typeof KeptTextFile>

/** Reads the kept text files that an entry names; values of another shape are left out. */
export function keptTextFiles(
  metadata: Readonly<Record<string, unknown>> | undefined,
): readonly KeptTextFile[] {
  const told = metadata?.files
  if (!Array.isArray(told)) return []
  return told.flatMap((one: unknown) => KeptTextFile.safeParse(one).data ?? [])
}

/** Text of a file, or why it has none: words after its name. */
export type DecodedTextFile =
  | { readonly text: string; readonly encoding: KeptTextFile['encoding'] }
  | { readonly fault: string }

/**
 * Decodes a text file: UTF-8 with or without a byte order mark, UTF-16 with one. What has a NUL is no text. A PDF has the text that was read
 * from it.
 */
export function decodeTextFile(
  { bytes, text }: Pick<GivenTextFile, 'bytes' | 'text'>,
  decode: DecodeText,
): DecodedTextFile {
  // Its beginning alone may be text.
  const decoded = isPdf(bytes) ? pdfText(text) : decodedBytes(bytes, decode)
  if ('fault' in decoded) return decoded
  if (decoded.text.includes('\0')) return { fault: 'is not text: it has a NUL character' }
  return decoded.text.trim() === '' ? { fault: 'is empty' } : decoded
}

function pdfText(text: string | undefined): DecodedTextFile {
  return text === undefined
    ? { fault: 'is a PDF, whose text was not read' }
    : { text, encoding: 'pdf' }
}

function decodedBytes(bytes: Uint8Array, decode: DecodeText): DecodedTextFile {
  const { encoding, mark } = encodingOf(bytes)
  try {
    return { text: decode(bytes.subarray(mark), encoding), encoding }
  } catch {
    return { fault: `is not text in ${encoding === 'utf-8' ? 'UTF-8' : 'UTF-16'}` }
  }
}

function encodingOf(bytes: Uint8Array): { encoding: TextEncodingName; mark: number } {
  const [a, b, c] = bytes
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', mark: 2 }
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', mark: 2 }
  return { encoding: 'utf-8', mark: a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0 }
}

/** Says in a sentence why text files cannot go with one message; undefined where they can. O(bytes). */
export function textFilesFault(
  files: readonly GivenTextFile[],
  decode: DecodeText,
): string | undefined {
  const many = files.length > textFileLimits.count ? textAmountFault(files) : undefined
  if (many !== undefined) return many
  for (const file of files) {
    const shown = shownFileName(file.name)
    if (file.bytes.length > longestOf(file))
      return `"${shown}" is larger than ${megabytes(longestOf(file))} MB.`
    const decoded = decodeTextFile(file, decode)
    if ('fault' in decoded) return `"${shown}" ${decoded.fault}.`
  }
  return textAmountFault(files)
}

/** Returns how many bytes a file may have. */
export function longestOf({ bytes }: Pick<GivenTextFile, 'bytes'>): number {
  return isPdf(bytes) ? pdfLimits.bytes : textFileLimits.bytes
}

/** Says in a sentence why text files are too many, or too large together; undefined where they are not. It decodes none. */
export function textAmountFault(files: readonly GivenTextFile[]): string | undefined {
  if (files.length > textFileLimits.count)
    return `A message takes ${textFileLimits.count} text files at most, and these are ${files.length}.`
  const sum = (of: (file: GivenTextFile) => number) =>
    files.reduce((all, file) => all + of(file), 0)
  if (sum((file) => (isPdf(file.bytes) ? file.bytes.length : 0)) > pdfLimits.totalBytes)
    return `Together the PDFs are larger than ${megabytes(pdfLimits.totalBytes)} MB.`
  const texts = sum(({ bytes, text }) => (isPdf(bytes) ? utf8Length(text ?? '') : bytes.length))
  return texts > textFileLimits.totalBytes
    ? `Together the text files are larger than ${megabytes(textFileLimits.totalBytes)} MB.`
    : undefined
}

/** Returns a file's name for people and models: the part after the last slash, on one line, without quotes, cut where it is too long. */
export function shownFileName(name: string): string {
  const shown = shownImageName(name).replaceAll('"', '’')
  return shown === 'image' ? 'file' : shown
}

/**
 * Returns a file as it stands in a message: a line with its name, then its text in a Markdown fence. The fence has more backticks than
 * any run of them in the text, so that nothing in the text ends it.
 */
export function framedTextFile(name: string, text: string): string {
  const longest = text.match(/`+/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0
  const fence = '`'.repeat(Math.max(3, longest + 1))
  const shown = shownFileName(name)
  const ending = /\.([a-z0-9]{1,12})$/i.exec(shown)?.[1]?.toLowerCase() ?? ''
  // What was read from it is no PDF any more.
  const language = ending === 'pdf' ? '' : ending
  return `File "${shown}":\n\n${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}

/**
 * Returns the message of a text and the frames of its files behind it. A code block that the text leaves open is closed: it would go on
 * to the first fence in a file, and let what follows out.
 */
export function withFrames(text: string, frames: readonly string[]): string {
  if (frames.length === 0) return text
  const close = closingFence(text)
  const words = close === undefined ? text : `${text}${/[\r\n]$/.test(text) ? '' : '\n'}${close}`
  return [...(text.trim() === '' ? [] : [words]), ...frames].join('\n\n')
}

/** A part of a message: words, or a text file that goes with it. */
export type MessagePart =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'file'; readonly file: KeptTextFile; readonly text: string }

/**
 * Parts a message at its files, in order. A file whose place is no frame of its name, since something changed the message, stays among
 * the words. O(content).
 */
export function messageParts(
  content: string,
  files: readonly KeptTextFile[],
): readonly MessagePart[] {
  const parts: MessagePart[] = []
  let at = 0
  for (const file of files) {
    const { name, start = -1, end = -1 } = file
    const framed = content.slice(Math.max(start, 0), Math.max(end, 0))
    const head = /^File "([^"\n]*)":\n\n(`{3,})[a-z0-9]*\n/.exec(framed)
    if (start < at || head === null || head[1] !== name || !framed.endsWith(`\n${head[2]}`))
      continue
    const words = content.slice(at, start).replace(/\n\n$/, '')
    // The blank line that parts a frame from what follows is nobody's word; blank lines before all else are.
    const shown = at === 0 ? words : words.replace(/^\n\n/, '')
    if (shown !== '') parts.push({ type: 'words', text: shown })
    const text = framed.slice(head[0].length, framed.length - (head[2]?.length ?? 0) - 1)
    parts.push({ type: 'file', file, text })
    at = end
  }
  const rest = at === 0 ? content : content.slice(at).replace(/^\n\n/, '')
  return rest === '' ? parts : [...parts, { type: 'words', text: rest }]
}

/** Of a limit: a whole number. */
function megabytes(bytes: number): string {
  return String(bytes / 1024 / 1024)
}
