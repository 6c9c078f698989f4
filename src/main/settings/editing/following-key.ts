import path from 'node:path'
import type { ConfigFile } from '../../../shared/model/settings/settings'
import type { Disk } from '../../disk/interface/disk'
import { namesInFolder } from '../../disk/reading/read'
import { openRouterBaseUrl, parseBaseUrl, webOrigin } from '../base/base-url'
import {
  contextFolder,
  type HomeConfig,
  readContextConfig,
  readHomeConfig,
} from '../config/home-config'
import type { Environment } from '../endpoint/candidates'

/**
 * Finds a key of chibi's, in words, that a change of `base_url` would send to another web origin than now: one
 * without an address of its own goes with the address below it. Undefined where none would.
 *
 * @param now the file that is changed, as it is
 * @param next its base URL afterwards; null where it has none
 */
export async function findFollowingKey(
  { disk, home, environment }: FollowingKeyDeps,
  file: ConfigFile,
  now: HomeConfig,
  next: string | null,
): Promise<string | undefined> {
  const below =
    file === 'config.toml' ? undefined : (await readHomeConfig(disk, home)).baseUrl?.value
  const origin = (baseUrl: string | null | undefined) =>
    originOf(baseUrl ?? below ?? openRouterBaseUrl)
  if (origin(next) === origin(now.baseUrl?.value)) return undefined
  if (now.apiKey !== undefined) return `the api_key in ${file}`
  if (environment.CHIBI_API_KEY?.trim() && !environment.CHIBI_BASE_URL?.trim())
    return 'the key in CHIBI_API_KEY'
  return file === 'config.toml' ? await keyOfContext(disk, home) : undefined
}

/** The disk, home and environment in which chibi's keys are found. */
export interface FollowingKeyDeps {
  readonly disk: Disk
  readonly home: string
  readonly environment: Environment
}

function originOf(baseUrl: string): string | undefined {
  const parsed = parseBaseUrl(baseUrl)
  return parsed.ok ? webOrigin(parsed.url) : undefined
}

async function keyOfContext(disk: Disk, home: string): Promise<string | undefined> {
  for (const name of await namesInFolder(disk, path.join(home, 'contexts'))) {
    if (contextFolder(home, name) === undefined) continue
    const { apiKey, baseUrl } = await readContextConfig(disk, home, name)
    if (apiKey !== undefined && baseUrl === undefined)
      return `the api_key in contexts/${name}/local.toml`
  }
  return undefined
}
