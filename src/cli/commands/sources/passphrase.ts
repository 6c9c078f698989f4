import { type Disk, DiskError } from '../../../main/disk/interface/disk'
import { readPipe } from '../../../main/disk/node/pipe'
import { readSmallFile } from '../../../main/disk/reading/read'
import { requireNewPassphrase } from '../../../main/library/snapshots'
import { AppError } from '../../../shared/model/basics/errors'
import { UsageError } from '../../command/arguments'
import type { CommandContext } from '../../command/command'

/** The sources of a passphrase: never the arguments, which other programs see and shells keep. */
export interface PassphraseSources
  extends Pick<CommandContext, 'askSecret' | 'readInputBytes' | 'signal'> {
  readonly disk: Disk
  /** Named by `--passphrase-file`: an absolute path, or `-` for standard input. */
  readonly file: string | undefined
}

const mostBytes = 4096

/**
 * Reads a passphrase from its file, a pipe or standard input, or asks for it; a new one twice.
 *
 * @throws UsageError there is neither a file nor a terminal; AppError `passphrase` it is empty, no UTF-8, has several lines, was typed otherwise the
 *   second time, or is none for a new snapshot, `not-found`, `cancelled`; DiskError; the signal's reason
 */
export async function readPassphrase(sources: PassphraseSources, isNew: boolean): Promise<string> {
  const { file } = sources
  const passphrase = file === undefined ? await asked(sources, isNew) : await inFile(sources, file)
  if (isNew) requireNewPassphrase(passphrase)
  if (passphrase === '') throw new AppError('passphrase', 'The passphrase is empty.')
  return passphrase
}

async function inFile(sources: PassphraseSources, file: string): Promise<string> {
  // What other names of it lead to need not be a pipe.
  const isInput = ['-', '/dev/stdin', '/dev/fd/0'].includes(file)
  const name = isInput ? 'Standard input' : file
  const bytes = isInput ? await fromInput(sources) : await bytesOf(sources, file)
  if (bytes.length > mostBytes)
    throw new DiskError('too-large', file, `${name} is too large for a passphrase`)
  const passphrase = textOf(bytes, name).replace(/\r?\n$/, '')
  if (/[\r\n]/.test(passphrase))
    throw new AppError('passphrase', `${name} has more than one line: a passphrase is one.`)
  return passphrase
}

async function fromInput({ readInputBytes, signal }: PassphraseSources): Promise<Uint8Array> {
  const bytes = await readInputBytes?.(mostBytes, signal)
  if (bytes !== undefined) return bytes
  throw new UsageError(
    'Standard input is a terminal: without --passphrase-file the passphrase is asked for.',
  )
}

async function bytesOf({ disk, signal }: PassphraseSources, file: string): Promise<Uint8Array> {
  const bytes =
    (await readPipe(file, mostBytes, signal)) ?? (await readSmallFile(disk, file, mostBytes))
  if (bytes !== undefined) return bytes
  throw new AppError('not-found', `There is no file with a passphrase at ${file}.`)
}

/** A character in the place of bytes that are none would be the same for any: a weaker passphrase. */
function textOf(bytes: Uint8Array, name: string): string {
  const refused = (words: string) =>
    new AppError('passphrase', `${name} ${words}. A passphrase is one line of UTF-8.`)
  const [first, second] = bytes
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isMarked || bytes.includes(0)) throw refused('is UTF-16, or no text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('is not UTF-8')
  }
}

async function asked({ askSecret, signal }: PassphraseSources, isNew: boolean): Promise<string> {
  if (askSecret === undefined)
    throw new UsageError('There is no terminal to ask for a passphrase at: --passphrase-file FILE.')
  const answer = async (question: string) => {
    const typed = await askSecret(question, signal)
    signal.throwIfAborted()
    if (typed === undefined) throw new AppError('cancelled', 'No passphrase was given.')
    return typed
  }
  const passphrase = await answer('Passphrase: ')
  if (!isNew) return passphrase
  requireNewPassphrase(passphrase)
  if ((await answer('The same again: ')) !== passphrase)
    throw new AppError('passphrase', 'The two passphrases are not the same.')
  return passphrase
}
