import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import { readSmallText } from '../../disk/reading/read'
import { removeIfThere, replaceFile } from '../../disk/writing/atomic'
import { toReadError, toWriteError } from '../core/errors'
import { homePaths } from '../core/home-paths'
import { type ContextMutationScope, contextFolderOf, mustExist } from '../lock/context-mutation'

/** A text of a context that a person may write; tools also write the notes among them. */
export type ContextText = 'todos.md' | 'goals.md' | 'system_prompt.md' | 'summary.md'

/** They are in every request; a larger one is a mistake. */
const mostTextBytes = 1024 * 1024

/**
 * Reads a context's own text; null where it has none.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function readContextText(
  scope: ContextMutationScope,
  name: ContextText,
): Promise<string | null> {
  try {
    await mustExist(scope)
    return (await readSmallText(scope.disk, fileOf(scope, name))) ?? null
  } catch (error) {
    throw toReadError(name, error)
  }
}

/**
 * Replaces a context's own text as a whole, durably; null removes it. It takes no lock: chibi takes none for these
 * texts, and a run reads them before each request. Only `summary.md` is written under the lock, since compactions
 * write it too.
 *
 * @param before what the person began from: where another text stands there now, theirs is not written over it
 *
 * @throws AppError `not-found`, `busy` (another text is there), `bad-argument` (too large), and what a failed write is
 */
export async function writeContextText(
  scope: ContextMutationScope,
  name: ContextText,
  text: string | null,
  before: string | null,
): Promise<void> {
  const { disk } = scope
  const now = await readContextText(scope, name)
  if (now === text) return
  if (now !== before)
    throw new AppError(
      'busy',
      `${name} changed in the meantime. Review the new text before you save yours.`,
    )
  const bytes = Buffer.from(wellFormed(text ?? ''))
  if (bytes.length > mostTextBytes)
    throw new AppError('bad-argument', `${name} would be larger than a megabyte.`)
  const target = fileOf(scope, name)
  try {
    if (text !== null) return await replaceFile(disk, target, bytes)
    await removeIfThere(disk, target)
    await disk.syncFolder(path.dirname(target))
  } catch (error) {
    throw toWriteError(name, error)
  }
}

function fileOf({ home, name: context }: ContextMutationScope, name: ContextText): string {
  return path.join(contextFolderOf(homePaths(home), context), name)
}
