import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { ModelInfo } from '../../../shared/model/settings/model-info'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { readSmallFile } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'

/** A list of models as it was fetched. */
export interface CachedModels {
  readonly models: readonly ModelInfo[]
  /** Unix milliseconds. */
  readonly fetchedAt: number
}

/** Lists of models, one file for each base URL, in a folder that may be emptied at any time. No key is ever in it. */
export interface ModelsCache {
  /** Undefined where none is kept, and where what is kept cannot be read. Never throws. */
  read(baseUrl: string): Promise<CachedModels | undefined>
  /** A cache that cannot be written is no fault of anything that is shown: never throws. */
  write(baseUrl: string, kept: CachedModels): Promise<void>
}

const version = 1
const limitBytes = 16 * 1024 * 1024

const Kept = z.object({
  version: z.literal(version),
  baseUrl: z.string(),
  fetchedAt: z.number().nonnegative(),
  models: z.array(ModelInfo),
})

/** Keeps lists in `<folder>/models`. */
export function openModelsCache(disk: Disk, folder: string): ModelsCache {
  const own = path.join(folder, 'models')
  const fileOf = (baseUrl: string) =>
    path.join(own, `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 32)}.json`)
  return {
    async read(baseUrl) {
      try {
        const bytes = await readSmallFile(disk, fileOf(baseUrl), limitBytes)
        if (bytes === undefined) return undefined
        const { data } = Kept.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
        return data?.baseUrl === baseUrl ? data : undefined
      } catch {
        return undefined // Damaged or not to be opened: it is asked for again.
      }
    },
    async write(baseUrl, { models, fetchedAt }) {
      const text = JSON.stringify({ version, baseUrl, fetchedAt, models })
      try {
        await disk.makeFolder(own)
        await replaceFile(disk, fileOf(baseUrl), Buffer.from(text), { durable: false })
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
      }
    },
  }
}
