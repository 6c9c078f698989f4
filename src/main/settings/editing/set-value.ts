import { AppError } from '../../../shared/model/basics/errors'
import { findKeySpec } from '../config/key-table'
import { parseSettingText } from './value-text'

/**
 * Reads a value that is set for one run: as people write it in Settings, and a list as config.toml has it, in one line.
 *
 * @throws AppError `bad-argument` where there is no such key, or with what its value must be
 */
export function readSetValue(key: string, text: string): unknown {
  const spec = findKeySpec(key)
  if (spec === undefined) throw new AppError('bad-argument', `there is no setting "${key}".`)
  return parseSettingText(key, spec, spec.kind === 'list' ? itemsOf(text) : text)
}

/** The items of a list, one a line; a text that is no list is its one item. */
function itemsOf(text: string): string {
  try {
    const items: unknown = JSON.parse(text)
    return Array.isArray(items) ? items.map(String).join('\n') : text
  } catch {
    return text
  }
}
