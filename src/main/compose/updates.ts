import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/model/basics/errors'
import {
  isNewerRelease,
  NewestRelease,
  type UpdateAnswer,
  type UpdatePlace,
} from '../../shared/model/updates'
import type { Disk } from '../disk/interface/disk'
import { readJson } from '../disk/json/read-json'

/** Where a package asks for updates, as whoever made it has set it. */
const UpdateFeed = z.object({
  /** A folder with `latest-linux.json`, `latest-darwin.json` and `latest-win32.json`, with a slash at the end. */
  feed: z.string().refine(isSafeAddress),
  /** Shows a person where to get it. The feed has no say in it. */
  page: z.string().refine(isSafeAddress),
})

/** Updates of this package: off where it names no feed. */
export interface Updates {
  /** Tells whom `check` asks; asks nobody. Never rejects: what is beside it is shown without it. */
  place(): Promise<UpdatePlace>
  /**
   * Asks the feed for the newest release: one request without anything of this person's. Downloads and installs nothing.
   *
   * @throws AppError `io` where the feed cannot be had, `unreadable` where it makes no sense
   */
  check(): Promise<UpdateAnswer>
}

/** Dependencies of the updates of a package. */
export interface UpdatesDeps {
  readonly disk: Disk
  /** The folder of the package's resources, of which `update-feed.json` names the feed. */
  readonly resources: string
  readonly version: string
  readonly platform: NodeJS.Platform
  /** In milliseconds; half a minute where it is absent. */
  readonly longest?: number
}

/** A feed is some hundreds of bytes. */
const mostBytes = 64 * 1024

/** Opens the updates of a package; nothing is read or asked before a person wants it. */
export function openUpdates({
  disk,
  resources,
  version,
  platform,
  longest = 30_000,
}: UpdatesDeps): Updates {
  async function source() {
    const file = await readJson(disk, path.join(resources, 'update-feed.json'))
    if (file === undefined) return undefined
    const parsed = file === 'damaged' ? undefined : UpdateFeed.safeParse(file.value).data
    if (parsed === undefined)
      throw new AppError('unreadable', 'update-feed.json of this package cannot be read.')
    return parsed
  }

  return {
    async place() {
      try {
        const from = await source()
        if (from === undefined) return { type: 'off' }
        return { type: 'named', host: new URL(from.feed).host, page: from.page }
      } catch {
        return { type: 'unreadable' } // `check` says why.
      }
    },
    async check() {
      const from = await source()
      if (from === undefined) return { type: 'off' }
      const newest = await newestAt(new URL(`latest-${platform}.json`, from.feed), longest)
      return isNewerRelease(newest.version, version)
        ? { type: 'newer', ...newest }
        : { type: 'current' }
    },
  }
}

async function newestAt(address: URL, longest: number): Promise<NewestRelease> {
  const text = await textAt(address, longest)
  const { data } = NewestRelease.safeParse(jsonOf(text))
  if (data === undefined)
    throw new AppError('unreadable', `${address.host} does not answer with a release of Skein.`)
  return data
}

/** By Node's own fetch: Chromium has no network here. No redirect leads elsewhere. */
async function textAt(address: URL, longest: number): Promise<string> {
  const signal = AbortSignal.timeout(longest)
  const headers = { accept: 'application/json', 'user-agent': 'Skein' }
  try {
    const response = await fetch(address, { redirect: 'error', signal, headers })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`it answers ${response.status}`)
    }
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of response.body ?? []) {
      bytes += part.length
      if (bytes > mostBytes) throw new Error('its answer has no end')
      parts.push(part)
    }
    return Buffer.concat(parts).toString('utf8')
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new AppError('io', `${address.host} cannot be asked for updates.`, {
      detail: cause instanceof Error ? cause.message : String(cause),
      cause: error,
    })
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Plain http is for this machine alone. */
function isSafeAddress(text: string): boolean {
  try {
    const { protocol, hostname, username } = new URL(text)
    const isHere = hostname === '127.0.0.1' || hostname === 'localhost'
    return username === '' && (protocol === 'https:' || (protocol === 'http:' && isHere))
  } catch {
    return false
  }
}
