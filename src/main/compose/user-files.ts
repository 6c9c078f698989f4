import path from 'node:path'
import { z } from 'zod'
import type { Disk } from '../disk/interface/disk'
import { readSmallText } from '../disk/reading/read'
import { replaceFile } from '../disk/writing/atomic'
import { makeDurableFolder } from '../disk/writing/durable-folder'

const Remembered = z.object({ home: z.string().min(1) })
const Place = z.object({
  x: z.int().optional(),
  y: z.int().optional(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximized: z.boolean(),
})
type Place = z.infer<typeof Place>

/** Small things that Skein remembers for its user. Losing one costs a click: none of them ever fails a call. */
export interface UserFiles {
  /** The home that was chosen last in the first-run view. */
  rememberedHome(): Promise<string | undefined>
  rememberHome(home: string): Promise<void>
  windowPlace(homeId: string): Promise<Place | undefined>
  keepWindowPlace(homeId: string, place: Place): Promise<void>
}

/**
 * Opens the files of what Skein remembers for its user. Reading and writing never reject.
 *
 * @param folder the user's folder of Skein; need not exist
 */
export function userFiles(disk: Disk, folder: string): UserFiles {
  async function read<T>(schema: z.ZodType<T>, file: string): Promise<T | undefined> {
    try {
      const text = await readSmallText(disk, file)
      return text === undefined ? undefined : schema.parse(JSON.parse(text))
    } catch {
      return undefined // Damaged or unreadable is as good as not there: the choice is asked again.
    }
  }
  async function write(file: string, value: unknown): Promise<void> {
    try {
      await makeDurableFolder(disk, path.dirname(file))
      await replaceFile(disk, file, new TextEncoder().encode(JSON.stringify(value)))
    } catch {
      // A full disk must not keep the window from working.
    }
  }
  const homeFile = path.join(folder, 'home.json')
  const placeFile = (homeId: string) => path.join(folder, 'homes', homeId, 'window.json')
  return {
    rememberedHome: async () => (await read(Remembered, homeFile))?.home,
    rememberHome: (home) => write(homeFile, { home }),
    windowPlace: (homeId) => read(Place, placeFile(homeId)),
    keepWindowPlace: (homeId, place) => write(placeFile(homeId), place),
  }
}
