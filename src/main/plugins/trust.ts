import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { parseShallow } from '../../shared/model/basics/json-depth'
import { Mutex } from '../async/mutex'
import type { Disk } from '../disk/interface/disk'
import { readSmallText } from '../disk/reading/read'
import { replaceFile } from '../disk/writing/atomic'
import { makeDurableFolder } from '../disk/writing/durable-folder'
import { moveAside } from '../disk/writing/move-aside'

/** A list, not an object: a plugin may be called `__proto__`. */
const TrustFile = z.object({
  version: z.literal(1),
  home: z.string(),
  plugins: z.array(z.object({ name: z.string(), hash: z.string(), trustedAtMs: z.number() })),
})
type TrustFile = z.infer<typeof TrustFile>

/** The plugins that a person trusts in one home, each by its content. */
export interface Trust {
  /** The hash that was trusted, by the plugin's name. */
  readonly hashes: ReadonlyMap<string, string>
  /** The reason why less is trusted than before, where the file cannot be read, or was damaged. */
  readonly problem?: string
}

/** Keeper of the trust in a home's plugins. */
export interface TrustKeeper {
  /** Reads it as it is on the disk now. Never rejects: an unreadable file is no trust. */
  read(): Promise<Trust>
  /** Durable on return. A list that cannot be read is not replaced. @throws DiskError */
  trust(name: string, hash: string): Promise<void>
  /** Durable on return. @throws DiskError */
  distrust(name: string): Promise<void>
}

const mostBytes = 4 * 1024 * 1024

/**
 * Returns the keeper of a home's trust. It keeps one file for each home in Skein's own folder of the user: writing
 * to a home, which may be shared or come from another person, cannot make its plugins trusted.
 *
 * @param home with every link followed: trust is bound to it
 */
export function trustKeeper(disk: Disk, userFolder: string, home: string): TrustKeeper {
  const id = createHash('sha256').update(home).digest('hex').slice(0, 32)
  const file = path.join(userFolder, 'trusted-plugins', `${id}.json`)
  const changes = new Mutex()
  let aside: string | undefined

  /** Reads the file; undefined where it is damaged, or another home's. @throws DiskError where it cannot be read */
  async function kept(): Promise<TrustFile['plugins'] | undefined> {
    const text = await readSmallText(disk, file, mostBytes)
    if (text === undefined) return []
    const parsed = TrustFile.safeParse(jsonIn(text)).data
    return parsed?.home === home ? parsed.plugins : undefined
  }

  /** Makes changes one after the other: each starts from what the one before has written. */
  function change(to: (plugins: TrustFile['plugins']) => TrustFile['plugins']): Promise<void> {
    return changes.run(async () => {
      const before = await kept()
      // A damaged file trusts nothing, and is kept; one that cannot be read at this moment is as good as ever, and
      // stays.
      if (before === undefined) aside = await moveAside(disk, file)
      const plugins = to(before ?? [])
      const next: TrustFile = { version: 1, home, plugins }
      await makeDurableFolder(disk, path.dirname(file))
      await replaceFile(disk, file, Buffer.from(`${JSON.stringify(next, null, 2)}\n`))
    })
  }

  return {
    async read() {
      const plugins = await kept().catch(() => undefined)
      if (plugins === undefined) {
        const problem = `The list of trusted plugins cannot be read from ${file}. No plugin runs until it can be read.`
        return { hashes: new Map(), problem }
      }
      const hashes = new Map(plugins.map(({ name, hash }) => [name, hash]))
      if (aside === undefined) return { hashes }
      return { hashes, problem: `The list of trusted plugins was damaged. It is kept as ${aside}.` }
    },
    trust: (name, hash) =>
      change((plugins) => [
        ...plugins.filter((one) => one.name !== name),
        { name, hash, trustedAtMs: Date.now() },
      ]),
    distrust: (name) => change((plugins) => plugins.filter((one) => one.name !== name)),
  }
}

function jsonIn(text: string): unknown {
  try {
    return parseShallow(text)
  } catch {
    return undefined // Damaged: it is kept aside before another one is written.
  }
}
