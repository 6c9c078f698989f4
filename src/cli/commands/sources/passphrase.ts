import type { Disk } from '../../../main/disk/interface/disk'
import { readSmallText } from '../../../main/disk/reading/read'
import { AppError } from '../../../shared/model/basics/errors'
import { UsageError } from '../../command/arguments'
import type { AskPerson } from '../../terminal/person'

/** The sources of a passphrase: never the arguments, which other programs see and shells keep. */
export interface PassphraseSources {
  readonly disk: Disk
  /** Named by `--passphrase-file`. */
  readonly file: string | undefined
  /** Asks at the terminal, and shows nothing of what is typed; undefined where there is none. */
  readonly ask: AskPerson | undefined
  readonly signal: AbortSignal
}

const mostBytes = 4096

/**
 * Reads a passphrase from its file, or asks for it; a new one twice.
 *
 * @throws UsageError there is neither a file nor a terminal; AppError `passphrase` it is empty, has several lines, or was typed otherwise the second
 *   time, `not-found`, `cancelled`; DiskError; the signal's reason
 */
export async function readPassphrase(
  { disk, file, ask, signal }: PassphraseSources,
  isNew: boolean,
): Promise<string> {
  const passphrase = file === undefined ? await asked(ask, signal, isNew) : await inFile(disk, file)
  if (passphrase === '') throw new AppError('passphrase', 'The passphrase is empty.')
  return passphrase
}

async function inFile(disk: Disk, file: string): Promise<string> {
  const text = await readSmallText(disk, file, mostBytes)
  if (text === undefined)
    throw new AppError('not-found', `There is no file with a passphrase at ${file}.`)
  const passphrase = text.replace(/\r?\n$/, '')
  if (/[\r\n]/.test(passphrase))
    throw new AppError('passphrase', `${file} has more than one line: a passphrase is one.`)
  return passphrase
}

async function asked(
  ask: AskPerson | undefined,
  signal: AbortSignal,
  isNew: boolean,
): Promise<string> {
  if (ask === undefined)
    throw new UsageError('There is no terminal to ask for a passphrase at: --passphrase-file FILE.')
  const answer = async (question: string) => {
    const typed = await ask(question, signal)
    signal.throwIfAborted()
    if (typed === undefined) throw new AppError('cancelled', 'No passphrase was given.')
    return typed
  }
  const passphrase = await answer('Passphrase: ')
  if (isNew && passphrase !== '' && (await answer('The same again: ')) !== passphrase)
    throw new AppError('passphrase', 'The two passphrases are not the same.')
  return passphrase
}
