import { z } from 'zod'
import type { Disk } from '../../disk/interface/disk'
import { readSmallText } from '../../disk/reading/read'
import { createFile } from '../../disk/writing/atomic'
import type { ContextPaths } from '../core/home-paths'

const ContextMeta = z.object({ created_at: z.number().optional() })

/**
 * Reads a context's creation time from its context_meta.json (chibi 0.5.0), in Unix seconds; undefined where it has
 * none.
 */
export async function readCreatedAt(disk: Disk, paths: ContextPaths): Promise<number | undefined> {
  const text = await readSmallText(disk, paths.meta)
  if (text === undefined) return undefined
  try {
    return ContextMeta.safeParse(JSON.parse(text)).data?.created_at
  } catch {
    return undefined // A damaged one has no time; it is not ours to mend.
  }
}

/**
 * Writes a new context's context_meta.json, as chibi 0.5 does; later versions read it and add the prompt. An existing
 * file is left as it is. Durable on return.
 *
 * @throws DiskError
 */
export async function createContextMeta(
  disk: Disk,
  paths: Pick<ContextPaths, 'meta'>,
  createdSeconds: number,
): Promise<void> {
  if ((await disk.stat(paths.meta)) !== undefined) return
  const text = JSON.stringify({ created_at: createdSeconds }, null, 2)
  await createFile(disk, paths.meta, Buffer.from(text))
}
