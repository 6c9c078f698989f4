import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultCacheFolder, skeinFolder } from '../../../src/main/settings/user-folders'

const inHome = (...names: readonly string[]) => path.join(os.homedir(), ...names)

/** The folders for what was set, and for what can be made again. */
function foldersOn(platform: NodeJS.Platform, environment: Record<string, string> = {}) {
  return [skeinFolder(environment, platform), defaultCacheFolder(environment, platform)]
}

describe('the folders of Skein', () => {
  it('are those of Electron and of the platform', () => {
    expect(foldersOn('linux')).toEqual([inHome('.config/Skein'), inHome('.cache/skein')])
    expect(foldersOn('freebsd')).toEqual(foldersOn('linux'))
    expect(foldersOn('darwin')).toEqual([
      inHome('Library/Application Support/Skein'),
      inHome('Library/Caches/Skein'),
    ])
    expect(foldersOn('win32')).toEqual([
      inHome('AppData/Roaming/Skein'),
      inHome('AppData/Local/Skein/Cache'),
    ])
  })

  it('go by the variables of the platform, where they are not empty', () => {
    const linux = { XDG_CONFIG_HOME: '/set', XDG_CACHE_HOME: '/made' }
    expect(foldersOn('linux', linux)).toEqual(['/set/Skein', '/made/skein'].map(path.normalize))
    const windows = { APPDATA: '/set', LOCALAPPDATA: '/made' }
    expect(foldersOn('win32', windows)).toEqual(
      ['/set/Skein', '/made/Skein/Cache'].map(path.normalize),
    )
    expect(foldersOn('darwin', { ...linux, ...windows })).toEqual(foldersOn('darwin'))
    const empty = { XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '', APPDATA: '', LOCALAPPDATA: '' }
    expect(foldersOn('linux', empty)).toEqual(foldersOn('linux'))
    expect(foldersOn('win32', empty)).toEqual(foldersOn('win32'))
  })
})
