import path from 'node:path'
import type { Disk } from '../disk/disk'
import { readSmallText } from '../disk/read'

/** The home's own prompts for a compaction; what is missing, blank or cannot be read is left out. */
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

/** A text of the home's `prompts`; undefined where it is missing, blank or cannot be read. */
export async function readPromptText(
  disk: Disk,
  home: string,
  name: string,
): Promise<string | undefined> {
  const text = await readSmallText(disk, path.join(home, 'prompts', name)).catch(() => undefined)
  return text === undefined || text.trim() === '' ? undefined : text.trim()
}
