import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { toReadError } from '../core/errors'

/**
 * Reads the home's own prompts for a compaction; one that is missing or blank is left out.
 *
 * @throws AppError `unreadable`
 */
export async function readCompactionTexts(
  disk: Disk,
  home: string,
): Promise<{ readonly compaction?: string; readonly continuation?: string }> {
  const [compaction, continuation] = await Promise.all([
    readPromptText(disk, home, 'compaction.md'),
    readPromptText(disk, home, 'continuation.md'),
  ])
  return {
    ...(compaction === undefined ? {} : { compaction }),
    ...(continuation === undefined ? {} : { continuation }),
  }
}

/**
 * Reads a text of the home's `prompts`, trimmed; undefined where it is missing or blank. One that cannot be read is an
 * error: a default must not replace a person's text.
 *
 * @throws AppError `unreadable`
 */
export async function readPromptText(
  disk: Disk,
  home: string,
  name: string,
): Promise<string | undefined> {
  const file = path.join(home, 'prompts', name)
  const text = await readSmallText(disk, file).catch((error: unknown) => {
    throw toReadError(`prompts/${name}`, error)
  })
  return text === undefined || text.trim() === '' ? undefined : text.trim()
}
