import path from 'node:path'
import type { PrivateFolder } from '../disk/process/private-folder'
import { makePrivateFolder } from '../disk/process/private-folder'
import { type Content, describeContentError, readPluginContent } from './content'
import { findPlugin, type PluginLocation } from './find-plugins'
import { interpreterFault, isGuarded, type ProgramEnvironment } from './interpreter'
import type { Trust } from './trust'

/** A copy of a plugin's trusted content, in a folder that nobody else can change. */
export interface TrustedCopy {
  /** Absolute; in a private folder that holds the plugin's own content alone. */
  readonly program: string
  /** Its variables, in addition to those of all plugins. */
  readonly environment: Readonly<Record<string, string>>
  /** Removes it. Never rejects. */
  remove(): Promise<void>
}

/**
 * Copies a plugin while it is hashed, and resolves to the copy where its hash is the trusted one: what runs is, byte
 * for byte, what was hashed, whatever happens in the home meanwhile. A string is the reason why nothing of it may
 * run, in words that follow its name; no copy is left then.
 *
 * @param copies a folder of ours for private ones; need not exist
 */
export async function copyTrustedPlugin(
  around: ProgramEnvironment,
  plugins: string,
  name: string,
  trust: Trust,
  copies: string,
): Promise<TrustedCopy | string> {
  const trusted = trust.hashes.get(name)
  const found = await findPlugin(around.disk, plugins, name)
  if (found.type === 'broken') return cannot(found.why)
  if (trusted === undefined || found.type === 'disabled') return 'is not trusted, and is not run'
  if (await isGuarded(around.guarded, copies))
    return cannot(
      `Skein runs plugins from ${copies}, which is in the home: a program that can write there could change them.`,
    )
  const { place } = found
  let folder: PrivateFolder | undefined
  let isTaken = false
  try {
    folder = await makePrivateFolder(copies)
    const copy = folder
    const content = await readPluginContent(around.disk, place, (file) =>
      copy.create(copyPathOf(place, file)),
    )
    if (content.hash !== trusted) return 'has changed since it was trusted, and is not run'
    const fault = await interpreterFault(around, content.head)
    if (fault !== undefined) return cannot(fault)
    isTaken = true
    return {
      program: path.join(copy.path, copyPathOf(place, programOf(place, content))),
      environment: { SKEIN_PLUGIN_PATH: place.path },
      remove: () => copy.remove(),
    }
  } catch (error) {
    return cannot(describeContentError(error))
  } finally {
    if (!isTaken) await folder?.remove()
  }
}

function cannot(why: string): string {
  return `cannot be run. ${why}`
}

/** Returns where a file of the content is in its copy, under the name by which the program knows itself. */
function copyPathOf({ kind, name, program }: PluginLocation, file: string): string {
  return kind === 'file' ? path.basename(program) : path.join(name, file)
}

/**
 * Returns the file of the content that is run. Where the program of a folder is a link to another file of it, it is
 * that one, so that it finds the files next to it; their hashes are compared, since the link's target is in none.
 */
function programOf({ kind, name, root, program }: PluginLocation, { files }: Content): string {
  if (kind === 'file') return name
  const way = path.relative(root, program).split(path.sep).join('/')
  const hashOf = (file: string) => files.find((one) => one.path === file)?.hash
  return hashOf(way) === hashOf(name) ? way : name
}
