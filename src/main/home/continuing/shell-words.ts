import { AppError } from '../../../shared/model/basics/errors'
import { hasControls } from '../../../shared/model/basics/visible'

/** Characters that no shell takes for anything else, wherever they stand. */
const plain = /^[A-Za-z0-9_./-]+$/

/**
 * Quotes a word for the shell that people have on a platform: PowerShell on Windows, else any that reads POSIX quotes. Whatever the
 * word holds, the shell takes it for one word and runs nothing of it.
 *
 * @throws AppError `bad-argument` control characters, which no quoting makes harmless: a terminal obeys them, and marks of direction
 * show another command than the one that runs
 */
export function shellWord(word: string, platform: NodeJS.Platform): string {
  if (hasControls(word))
    throw new AppError(
      'bad-argument',
      'There is no safe command: a name on the way has control characters in it.',
    )
  if (plain.test(word)) return word
  // PowerShell takes typographic quotes for plain ones.
  if (platform === 'win32') return `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** Joins a folder and a command: the command runs only if the folder is there. */
export function inFolder(folder: string, command: string, platform: NodeJS.Platform): string {
  const quoted = shellWord(folder, platform)
  return platform === 'win32'
    ? `Set-Location -LiteralPath ${quoted} -ErrorAction Stop; ${command}`
    : `cd ${quoted} && ${command}`
}
