import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { saveError } from '../base/save-errors'
import { contextFolder } from '../config/home-config'
import { rewriteText } from '../toml/rewrite-text'
import { editToml } from '../toml/toml-edit'

/**
 * Sets texts in a context's local.toml, all in one write: a model must never be next to the address of another one.
 * Every other byte of the file stays, and its permissions. Durable on return.
 *
 * @throws AppError `not-found` where there is no such context, `read-only` where the file cannot be changed safely,
 * `unreadable` for what is no UTF-8 text, `busy` where it was changed meanwhile, `disk-full`, `io`
 */
export async function writeLocalToml(
  disk: Disk,
  home: string,
  context: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = contextFolder(home, context)
  const file = path.join(folder ?? home, 'local.toml')
  try {
    if (folder === undefined || (await disk.stat(folder))?.kind !== 'directory')
      throw new AppError('not-found', `There is no context "${context}".`)
    await rewriteText(disk, file, (text) => Object.entries(values).reduce(withValue, text))
  } catch (error) {
    throw saveError('The model was', error)
  }
}

function withValue(text: string, [key, value]: [string, string]): string {
  // JSON's escapes are TOML's too; what is not is refused, since the result is parsed again.
  const edit = editToml(text, [key], JSON.stringify(value))
  if (edit.ok) return edit.text
  throw new AppError('read-only', `local.toml ${edit.reason}. Set ${key} there by hand.`)
}
