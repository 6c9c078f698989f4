import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../disk/atomic'
import type { Disk } from '../disk/disk'
import { readSmallText } from '../disk/read'

/** A list, not an object: a plugin may be called `__proto__`. */
const TrustFile = z.object({
  version: z.literal(1),
  home: z.string(),
  plugins: z.array(z.object({ name: z.string(), hash: z.string(), trustedAtMs: z.number() })),
})
type TrustFile = z.infer<typeof TrustFile>

/** What a person has trusted in one home: plugins by name, each as the content that it had. */
export interface Trust {
  /** The hash that was trusted, by the plugin's name. */
  readonly hashes: ReadonlyMap<string, string>
  /** Why nothing is trusted, where what was kept cannot be read. */
  readonly problem?: string
}

export interface TrustKeeper {
  /** As it is on the disk now. Never rejects: what cannot be read is no trust. */
  read(): Promise<Trust>
  /** Durable on return. @throws DiskError */
  trust(name: string, hash: string): Promise<void>
  /** Durable on return. @throws DiskError */
  distrust(name: string): Promise<void>
}

const mostBytes = 4 * 1024 * 1024

/**
 * Keeps what is trusted in Skein's own folder of the user, one file a home: whoever can write to a home, as one that is
 * shared or came from somebody else, cannot make its plugins trusted.
 *
 * @param home with every link followed: trust is bound to it
 */
export function trustKeeper(disk: Disk, userFolder: string, home: string): TrustKeeper {
  const id = createHash('sha256').update(home).digest('hex').slice(0, 32)
  const file = path.join(userFolder, 'trusted-plugins', `${id}.json`)
  let last: Promise<unknown> = Promise.resolve()

  async function kept(): Promise<TrustFile['plugins']> {
    const text = await readSmallText(disk, file, mostBytes)
    if (text === undefined) return []
    const parsed = TrustFile.parse(JSON.parse(text))
    return parsed.home === home ? parsed.plugins : []
  }

  /** One after the other: each starts from what the one before has written. */
  function change(to: (plugins: TrustFile['plugins']) => TrustFile['plugins']): Promise<void> {
    const write = last.then(async () => {
      // A damaged file trusts nothing; what is written in its place trusts what is asked for now.
      const plugins = to(await kept().catch(() => []))
      const next: TrustFile = { version: 1, home, plugins }
      await disk.makeFolder(path.dirname(file))
      await replaceFile(disk, file, Buffer.from(`${JSON.stringify(next, null, 2)}\n`))
    })
    last = write.catch(() => {})
    return write
  }

  return {
    async read() {
      try {
        return { hashes: new Map((await kept()).map(({ name, hash }) => [name, hash])) }
      } catch {
        const problem = `What was trusted cannot be read from ${file}. Until it can, no plugin runs.`
        return { hashes: new Map(), problem }
      }
    },
    trust: (name, hash) =>
      change((plugins) => [
        ...plugins.filter((one) => one.name !== name),
        { name, hash, trustedAtMs: Date.now() },
      ]),
    distrust: (name) => change((plugins) => plugins.filter((one) => one.name !== name)),
  }
}
