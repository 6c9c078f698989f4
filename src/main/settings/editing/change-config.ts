import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { ConfigChange } from '../../../shared/model/settings/settings'
import type { Disk } from '../../disk/interface/disk'
import type { SettingsApproval } from '../base/approval'
import { saveError } from '../base/save-errors'
import { contextFolder, type HomeConfig, parseHomeConfig, valueInFile } from '../config/home-config'
import type { KeySpec } from '../config/key-spec'
import { findKeySpec } from '../config/key-table'
import { rewriteText } from '../toml/rewrite-text'
import { parseToml } from '../toml/toml'
import { editToml } from '../toml/toml-edit'
import { type FollowingKeyDeps, findFollowingKey } from './following-key'
import { findNewFolders } from './new-folders'
import { formatSettingValue, splitListText, tomlLiteralOfText } from './value-text'

/** Everything that a change of a configuration file needs. */
export interface ConfigChangeDeps extends FollowingKeyDeps {
  /** Resolves to true where messages may go to an address without approval. */
  readonly isKnownAddress: (baseUrl: string) => Promise<boolean>
}

/**
 * Changes one key of config.toml, or of a context's local.toml; creates the file where it is missing. Comments,
 * other keys, their order and line ends stay; see rewriteText. An address is refused where one of chibi's keys would
 * follow it; a new address, and folders that would be newly open to models, need approval first.
 *
 * @throws AppError `denied`, `bad-argument`, `not-found` for a context that is not there, `unreadable` for a file
 *   that is no TOML, `busy` where it changed since it was shown, `disk-full`, `io`
 */
export async function changeConfig(
  deps: ConfigChangeDeps,
  change: ConfigChange,
  context: string | undefined,
  allow: SettingsApproval,
): Promise<void> {
  const { disk, home } = deps
  const { key, value, file } = change
  const spec = findKeySpec(key)
  if (spec === undefined) throw new AppError('bad-argument', `There is no setting "${key}".`)
  if (file === 'local.toml' && spec.place === 'config')
    throw new AppError('bad-argument', `${key} holds for the whole home: set it in config.toml.`)
  const literal = value === null ? undefined : tomlLiteralOfText(key, spec, value)
  try {
    const target =
      file === 'config.toml'
        ? path.join(home, file)
        : path.join(await existing(disk, home, context), file)
    await rewriteText(disk, target, async (text) => {
      const config = unchanged(text, change, spec)
      if (key === 'base_url') {
        await refuseFollowing(deps, file, config, value)
        if (value !== null && !(await deps.isKnownAddress(value))) await allow.address(value.trim())
      }
      if (key === 'file_tools_allowed_paths') await askForFolders(deps, file, config, value, allow)
      const edit = editToml(text, key.split('.'), literal)
      if (edit.ok) return edit.text
      throw new AppError('bad-argument', `${file} ${edit.reason}.`)
    })
  } catch (error) {
    throw saveError(`${file} was`, error)
  }
}

/** The folder of a context. @throws AppError `not-found` */
async function existing(disk: Disk, home: string, context: string | undefined): Promise<string> {
  const folder = contextFolder(home, context)
  if (folder === undefined || (await disk.stat(folder))?.kind !== 'directory')
    throw new AppError('not-found', 'This conversation is not a context of this home.')
  return folder
}

/** Parses a file, where its value is still the one that was shown. @throws AppError `unreadable`, `busy` */
function unchanged(
  text: string,
  { key, file, was }: ConfigChange,
  spec: KeySpec<unknown>,
): HomeConfig {
  const toml = parseToml(text, file)
  if (toml.broken !== undefined)
    throw new AppError(
      'unreadable',
      `${toml.broken.message} Fix the line, then change the value here.`,
    )
  const config = parseHomeConfig(toml, file)
  const found = valueInFile(config, key)
  if ((found === undefined ? null : formatSettingValue(spec, found.value)) !== was)
    throw new AppError('busy', `${file} changed in the meantime: check the value again.`)
  return config
}

/** Asks about the folders that models could use afterwards and cannot now. @throws AppError `denied`, `busy` */
async function askForFolders(
  deps: ConfigChangeDeps,
  file: ConfigChange['file'],
  config: HomeConfig,
  next: string | null,
  allow: SettingsApproval,
): Promise<void> {
  const list = next === null ? undefined : splitListText(next)
  const folders = await findNewFolders(deps, file, config, list)
  if (folders.length > 0) await allow.folders(folders, file)
}

/** Refuses a change by which a key would go to an address that it was not given for. @throws AppError `bad-argument` */
async function refuseFollowing(
  deps: FollowingKeyDeps,
  file: ConfigChange['file'],
  config: HomeConfig,
  next: string | null,
): Promise<void> {
  const key = await findFollowingKey(deps, file, config, next)
  if (key === undefined) return
  throw new AppError(
    'bad-argument',
    `The address was not changed: ${key} would be sent to the new one too. Remove the key there first.`,
  )
}
