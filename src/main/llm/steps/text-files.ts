import {
  type DecodeText,
  decodeTextFile,
  framedTextFile,
  type GivenTextFile,
  type KeptTextFile,
  shownFileName,
  textFilesFault,
} from '../../../shared/model/attachments/text-files'
import { AppError } from '../../../shared/model/basics/errors'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import type { KeepFile } from './keep-file'

const decodeStrictly: DecodeText = (bytes, encoding) =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes)

/**
 * Checks that text files can be sent with a message.
 *
 * @throws AppError `bad-argument` where they cannot go with a message, in words
 */
export function checkTextFiles(files: readonly GivenTextFile[]): void {
  const fault = textFilesFault(files, decodeStrictly)
  if (fault !== undefined) throw new AppError('bad-argument', `${fault} Nothing was sent.`)
}

/** A text file on its way into a message: as it stands there, and what the entry will say of it. */
interface FramedFile {
  readonly frame: string
  readonly kept: Omit<KeptTextFile, 'file' | 'sha256'>
  readonly bytes: Uint8Array
}

/** Decodes text files and frames each as it goes to the model. @throws AppError `bad-argument` */
export function frameTextFiles(files: readonly GivenTextFile[]): readonly FramedFile[] {
  checkTextFiles(files)
  return files.map((file) => {
    const { name, bytes } = file
    const decoded = decodeTextFile(file, decodeStrictly)
    if ('fault' in decoded) throw new AppError('bad-argument', decoded.fault)
    const shown = wellFormed(shownFileName(name))
    const { text, encoding } = decoded
    const frame = framedTextFile(shown, wellFormed(text))
    return { frame, kept: { name: shown, bytes: bytes.length, encoding }, bytes }
  })
}

/**
 * Keeps text files in the context's folder, with their bytes as they were given, and finds where each stands in the message. Durable on
 * return.
 *
 * @throws AppError `bad-argument` where no file can be kept, `disk-full`, `read-only`, `io`
 */
export async function keepTextFiles(
  framed: readonly FramedFile[],
  content: string,
  keepFile: KeepFile | undefined,
): Promise<readonly KeptTextFile[]> {
  const files: KeptTextFile[] = []
  const places = placesOf(framed, content)
  for (const [at, { kept, bytes }] of framed.entries()) {
    if (keepFile === undefined) throw new AppError('bad-argument', 'Files cannot be kept here.')
    const { file, sha256 } = await keepFile(bytes, kept.encoding === 'pdf' ? 'pdf' : 'txt')
    files.push({ file, ...kept, sha256, ...places[at] })
  }
  return files
}

/** Finds the frames in a message; none where one is missing: what is found then may be the text of another file. */
function placesOf(
  framed: readonly FramedFile[],
  content: string,
): readonly { readonly start: number; readonly end: number }[] {
  const places: { readonly start: number; readonly end: number }[] = []
  // From the end, since words before them may be the same: what a plugin adds mostly comes first.
  let before = content.length
  for (const { frame } of [...framed].reverse()) {
    const start = before < frame.length ? -1 : content.lastIndexOf(frame, before - frame.length)
    if (start < 0) return []
    before = start
    places.unshift({ start, end: start + frame.length })
  }
  return places
}
