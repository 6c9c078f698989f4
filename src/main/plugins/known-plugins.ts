import type { PluginState } from '../../shared/model/settings/plugins'
import { mapConcurrent } from '../disk/pacing/map-concurrent'
import { type Content, describeContentError, readPluginContent } from './content'
import { type FoundPlugin, findPlugins, type PluginLocation } from './find-plugins'
import { interpreterFault, type ProgramEnvironment } from './interpreter'
import type { Trust } from './trust'

/** An item of the plugins folder, and what is known of it without running anything. */
export interface KnownPlugin {
  readonly name: string
  readonly path: string
  readonly state: PluginState
  readonly place?: PluginLocation
  readonly content?: Content
  /** The reason why it is broken. */
  readonly why?: string
}

/**
 * Reads all items of the plugins folder, each plugin whole.
 *
 * @throws DiskError where the folder cannot be read
 */
export async function knownPlugins(
  around: ProgramEnvironment,
  folder: string,
  trust: Trust,
): Promise<readonly KnownPlugin[]> {
  const found = await findPlugins(around.disk, folder)
  return mapConcurrent(found, (one) => readKnownPlugin(around, one, trust), 4)
}

async function readKnownPlugin(
  around: ProgramEnvironment,
  found: FoundPlugin,
  trust: Trust,
): Promise<KnownPlugin> {
  if (found.type === 'disabled') return { name: found.name, path: found.path, state: 'disabled' }
  if (found.type === 'broken') {
    const { name, path, why } = found
    return { name, path, state: 'broken', why }
  }
  const { place } = found
  const { name, path } = place
  try {
    const content = await readPluginContent(around.disk, place)
    const why = await interpreterFault(around, content.head)
    if (why !== undefined) return { name, path, state: 'broken', place, why }
    const hash = trust.hashes.get(name)
    const state = hash === undefined ? 'untrusted' : hash === content.hash ? 'trusted' : 'changed'
    return { name, path, state, place, content }
  } catch (error) {
    return { name, path, state: 'broken', place, why: describeContentError(error) }
  }
}
