import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { RequestAdjustment } from '../../../shared/model/run/adaptations'
import { Mutex } from '../../async/mutex'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { readSmallFile } from '../../disk/reading/read'
import { replaceFile } from '../../disk/writing/atomic'

/** Memory of the adjustments that requests to a model at an address need. Never throws. */
export interface AdjustmentMemory {
  /** Empty where nothing is kept, where it has expired, and where it cannot be read. */
  read(baseUrl: string, model: string): Promise<readonly RequestAdjustment[]>
  write(baseUrl: string, model: string, adjustments: readonly RequestAdjustment[]): Promise<void>
  /** The models at an address for which something is kept. */
  models(baseUrl: string): Promise<readonly string[]>
  /** Forgets everything at an address: the next request goes out unadjusted. */
  forget(baseUrl: string): Promise<void>
}

/** A memory that keeps nothing. */
export const noAdjustments: AdjustmentMemory = {
  read: async () => [],
  write: async () => undefined,
  models: async () => [],
  forget: async () => undefined,
}

const version = 1
/** Servers change: after this, requests go out unadjusted again. */
const keptMs = 7 * 86_400_000
const limitBytes = 1024 * 1024
const mostModels = 200

const Kept = z.object({
  version: z.literal(version),
  baseUrl: z.string(),
  models: z.array(
    z.object({
      model: z.string().max(512),
      /** Unix milliseconds. */
      keptAt: z.number().nonnegative(),
      concessions: z.array(RequestAdjustment).max(100),
    }),
  ),
})
type Kept = z.infer<typeof Kept>

/**
 * Keeps adjustments in `<folder>/concessions`, a file for each base URL, which may be emptied at any time. No key is
 * in it.
 */
export function openAdjustmentMemory(
  disk: Disk,
  folder: string,
  now: () => number = Date.now,
): AdjustmentMemory {
  const own = path.join(folder, 'concessions')
  const changes = new Mutex()
  const fileOf = (baseUrl: string) =>
    path.join(own, `${createHash('sha256').update(baseUrl).digest('hex').slice(0, 32)}.json`)

  async function kept(baseUrl: string): Promise<Kept['models']> {
    try {
      const bytes = await readSmallFile(disk, fileOf(baseUrl), limitBytes)
      if (bytes === undefined) return []
      const { data } = Kept.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
      const isOfNow = (keptAt: number) => keptAt <= now() && now() - keptAt < keptMs
      return data?.baseUrl === baseUrl ? data.models.filter((one) => isOfNow(one.keptAt)) : []
    } catch {
      return [] // Damaged or not to be opened: the server says it again.
    }
  }

  async function put(baseUrl: string, models: Kept['models']): Promise<void> {
    const value: Kept = { version, baseUrl, models: models.slice(0, mostModels) }
    try {
      await disk.makeFolder(own)
      const bytes = Buffer.from(JSON.stringify(value))
      await replaceFile(disk, fileOf(baseUrl), bytes, { durable: false })
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
    }
  }

  return {
    read: async (baseUrl, model) =>
      (await kept(baseUrl)).find((one) => one.model === model)?.concessions ?? [],
    write: (baseUrl, model, adjustments) =>
      changes.run(async () => {
        const others = (await kept(baseUrl)).filter((one) => one.model !== model)
        const one = { model, keptAt: now(), concessions: [...adjustments] }
        await put(baseUrl, adjustments.length === 0 ? others : [one, ...others])
      }),
    models: async (baseUrl) => (await kept(baseUrl)).map(({ model }) => model),
    forget: (baseUrl) =>
      changes.run(async () => {
        if ((await kept(baseUrl)).length > 0) await put(baseUrl, [])
      }),
  }
}
