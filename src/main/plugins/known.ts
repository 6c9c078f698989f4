import type { PluginState } from '../../shared/model/plugins'
import { inTurn } from '../disk/in-turn'
import { type Content, contentOf, whyNoContent } from './content'
import { type Found, findPlugins, type PluginPlace } from './find'
import { interpreterFault, type Surroundings } from './interpreter'
import type { Trust } from './trust'

/** A name in the plugins folder, with what is known of it without running anything. */
export interface Known {
  readonly name: string
  readonly path: string
  readonly state: PluginState
  readonly place?: PluginPlace
  readonly content?: Content
  /** Why it is broken. */
  readonly why?: string
}

/** Everything in the plugins folder; reads each plugin whole. @throws DiskError where the folder cannot be read */
export async function knownPlugins(
  around: Surroundings,
  folder: string,
  trust: Trust,
): Promise<readonly Known[]> {
  const found = await findPlugins(around.disk, folder)
  return inTurn(found, (one) => known(around, one, trust), 4)
}

async function known(around: Surroundings, found: Found, trust: Trust): Promise<Known> {
  if (found.type === 'disabled') return { name: found.name, path: found.path, state: 'disabled' }
  if (found.type === 'broken') {
    const { name, path, why } = found
    return { name, path, state: 'broken', why }
  }
  const { place } = found
  const { name, path } = place
  try {
    const content = await contentOf(around.disk, place)
    const why = await interpreterFault(around, content.head)
    if (why !== undefined) return { name, path, state: 'broken', place, why }
    const hash = trust.hashes.get(name)
    const state = hash === undefined ? 'untrusted' : hash === content.hash ? 'trusted' : 'changed'
    return { name, path, state, place, content }
  } catch (error) {
    return { name, path, state: 'broken', place, why: whyNoContent(error) }
  }
}
