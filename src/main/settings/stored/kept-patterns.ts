import { AppError } from '../../../shared/model/basics/errors'
import type { OwnPattern } from '../../../shared/model/settings/own-pattern'
import type { SettingsFile } from './settings-file'

/**
 * Reads the own patterns of redaction that a person keeps in Settings.
 *
 * @throws AppError `unreadable` where they are not known: an export would have what they are to hide
 */
export async function readKeptPatterns({
  read,
}: Pick<SettingsFile, 'read'>): Promise<readonly OwnPattern[]> {
  const { stored, faults } = await read()
  const [fault] = faults.filter(({ key }) => key === undefined || hidesPatterns.has(key))
  if (fault === undefined) return stored.preferences.redactPatterns
  throw new AppError(
    'unreadable',
    `Nothing was exported: your own patterns of redaction cannot be read. ${fault.message} Mend it, or leave "Own patterns" out.`,
  )
}

const hidesPatterns: ReadonlySet<string> = new Set(['preferences', 'redactPatterns'])
