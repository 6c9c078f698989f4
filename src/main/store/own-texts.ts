import path from 'node:path'
import { AppError } from '../../shared/model/errors'
import { wellFormed } from '../../shared/model/well-formed'
import { removeIfThere, replaceFile } from '../disk/atomic'
import { readSmallText } from '../disk/read'
import { unreadable, unwritten } from './errors'
import { homePaths } from './home'
import { folderOf, mustBeThere, type WholeContextScope } from './whole-context'

/** The texts of a context that a person may write; tools write the notes among them as well. */
export type OwnText = 'todos.md' | 'goals.md' | 'system_prompt.md' | 'summary.md'

/** They stand in every request; a larger one is a mistake. */
const mostTextBytes = 1024 * 1024

/** A context's own text; null where it has none. @throws AppError `not-found`, `unreadable` */
export async function readOwnText(scope: WholeContextScope, name: OwnText): Promise<string | null> {
  try {
    await mustBeThere(scope)
    return (await readSmallText(scope.disk, fileOf(scope, name))) ?? null
  } catch (error) {
    throw unreadable(name, error)
  }
}

/**
 * Replaces a context's own text as a whole, durably; null removes it. Neither takes the lock: chibi takes none for
 * them, and a run reads them before each request. `summary.md` alone is written under it, by compactions too.
 *
 * @param before what the person began from: where another text stands there now, theirs is not written over it
 * @throws AppError `not-found`, `busy` (another text stands there), `bad-argument` (too large), and what a failed write is
 */
export async function writeOwnText(
  scope: WholeContextScope,
  name: OwnText,
  text: string | null,
  before: string | null,
): Promise<void> {
  const { disk } = scope
  const now = await readOwnText(scope, name)
  if (now === text) return
  if (now !== before)
    throw new AppError('busy', `${name} was changed meanwhile. Look at it before you save yours.`)
  const bytes = Buffer.from(wellFormed(text ?? ''))
  if (bytes.length > mostTextBytes)
    throw new AppError('bad-argument', `${name} would be larger than a megabyte.`)
  const target = fileOf(scope, name)
  try {
    if (text !== null) return await replaceFile(disk, target, bytes)
    await removeIfThere(disk, target)
    await disk.syncFolder(path.dirname(target))
  } catch (error) {
    throw unwritten(name, error)
  }
}

function fileOf({ home, name: context }: WholeContextScope, name: OwnText): string {
  return path.join(folderOf(homePaths(home), context), name)
}
