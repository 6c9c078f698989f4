import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../main/disk/interface/disk'
import { readSmallText } from '../../main/disk/reading/read'
import { replaceFile } from '../../main/disk/writing/atomic'
import { makeDurableFolder } from '../../main/disk/writing/durable-folder'

const LastFile = z.object({ version: z.literal(1), home: z.string(), context: z.string() })

/** Memory of the context of a home that the command line acted on last, kept in Skein's own folder of the user. */
export interface LastContext {
  /** Undefined where there was none, or it cannot be read: it is only for the plugins' hook of a switch. */
  read(): Promise<string | undefined>
  /** @throws DiskError */
  keep(context: string): Promise<void>
}

/** Opens the memory for a home. @param userFolder need not exist */
export function lastContextOf(disk: Disk, userFolder: string, home: string): LastContext {
  const place = disk.realPath(home).catch(() => path.resolve(home))
  const fileOf = (real: string) =>
    path.join(
      userFolder,
      'last-contexts',
      `${createHash('sha256').update(real).digest('hex').slice(0, 32)}.json`,
    )
  return {
    async read() {
      const real = await place
      try {
        const text = await readSmallText(disk, fileOf(real), 64 * 1024)
        const kept = LastFile.safeParse(JSON.parse(text ?? 'null')).data
        return kept?.home === real ? kept.context : undefined
      } catch {
        return undefined // Damaged or unreadable: the next one is written over it.
      }
    },
    async keep(context) {
      const real = await place
      const file = fileOf(real)
      await makeDurableFolder(disk, path.dirname(file))
      const next: z.infer<typeof LastFile> = { version: 1, home: real, context }
      await replaceFile(disk, file, Buffer.from(`${JSON.stringify(next)}\n`))
    },
  }
}
