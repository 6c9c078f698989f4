import { type Entry, speakerOf, spokenText } from '../../../shared/model/conversation/entry'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { endsInLineFeed } from '../../disk/writing/append'
import { writeAll } from '../../disk/writing/atomic'
import type { ContextPaths } from '../core/home-paths'

/**
 * Resolves to true where a context has a `transcript.md`: then it is continued, as by chibi up to 0.8.5. It holds the
 * closed context windows, for people; the transcript itself is JSON.
 */
export async function hasMarkdownPage(disk: Disk, paths: ContextPaths): Promise<boolean> {
  return (await disk.stat(paths.legacyPage))?.kind === 'file'
}

/**
 * Formats the messages of a person and the model as blocks of `[USER]: text` and an empty line; no tools, no times.
 */
export function formatMarkdownPage(entries: readonly Entry[]): string {
  return entries
    .flatMap((entry) => {
      const speaker = speakerOf(entry)
      if (speaker !== 'user' && speaker !== 'agent') return []
      return [`[${speaker === 'user' ? 'USER' : 'ASSISTANT'}]: ${spokenText(entry)}\n\n`]
    })
    .join('')
}

/**
 * Appends blocks to `transcript.md`, which is made where it is missing; durable on return. Blocks that are at its end
 * already, from right before a crash, are not written again. Nothing in it is changed.
 *
 * @throws DiskError
 */
export async function appendMarkdownPage(
  disk: Disk,
  paths: ContextPaths,
  text: string,
): Promise<void> {
  const bytes = Buffer.from(text)
  if (bytes.length === 0) return
  const file = await disk.open(paths.legacyPage, 'append')
  try {
    const { sizeBytes } = await file.stat()
    if (!(await endsWith(file, sizeBytes, bytes))) {
      // A block begins after an empty line alone: behind torn words it would be one of theirs.
      const gap = (await endsInLineFeed(file, sizeBytes)) ? '' : '\n\n'
      await writeAll(file, paths.legacyPage, Buffer.concat([Buffer.from(gap), bytes]))
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await disk.syncFolder(paths.folder)
}

async function endsWith(file: DiskFile, sizeBytes: number, bytes: Buffer): Promise<boolean> {
  if (sizeBytes < bytes.length) return false
  return bytes.equals(await readExactly(file, sizeBytes - bytes.length, bytes.length))
}
