import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openFamilies } from '../../../src/main/library/families/families'
import { type Library, openLibrary } from '../../../src/main/library/library'
import { openHistories } from '../../../src/main/library/sources/histories'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { ageCaches } from '../../support/older-decoding'
import { tempFolders } from '../../support/temp-folder'

const temp = tempFolders()
const family = path.join(__dirname, '../../fixtures/branches/cycod-family')
const opened: Library[] = []
afterEach(async () => {
  for (const library of opened.splice(0)) await library.close()
})

function person() {
  const root = temp()
  fs.cpSync(family, path.join(root, 'cycod'), { recursive: true, preserveTimestamps: true })
  const history = path.join(root, 'cycod', 'history')
  const files = fs.readdirSync(history).sort()
  const keys = files.map((name) => LibraryKey.parse(`cycod:${path.parse(name).name}`))
  const roots = [{ source: 'cycod' as const, path: path.join(root, 'cycod') }]
  return { root, keys, roots, cacheFolder: path.join(root, 'cache'), history, files }
}

function open({ roots, cacheFolder }: ReturnType<typeof person>): Library {
  const library = openLibrary({
    disk: nodeDisk,
    store: undefined,
    shownHome: '~/.chibi',
    histories: openHistories(nodeDisk, roots),
    cacheFolder,
    isRunning: () => false,
    changed: () => undefined,
    watched: false,
  })
  opened.push(library)
  return library
}

/** Changes every file in a folder of caches that is named so. */
function rewrite(folder: string, name: RegExp, change: (text: string) => string): void {
  for (const each of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.test(each)) continue
    const file = path.join(folder, each)
    const [text, changed] = [fs.readFileSync(file, 'utf8'), change(fs.readFileSync(file, 'utf8'))]
    if (changed === text) throw new Error(`nothing to change in ${each}`)
    fs.writeFileSync(file, changed)
  }
}

describe("the library's cache by older decoders", () => {
  const misread = (text: string) =>
    text.replaceAll(/"entries":\d+/g, '"entries":77').replaceAll(/"title":"/g, '"title":"Misread ')

  it('gives no row and no count: both are read again', async () => {
    const somebody = person()
    const right = await open(somebody).all(true)
    await opened.at(-1)?.close()
    rewrite(somebody.cacheFolder, /\.jsonl$/, misread)
    // Under our version it would be believed.
    const believed = await open(somebody).all(true)
    expect(believed.every(({ entries, title }) => entries === 77 && /^Misread/.test(title))).toBe(
      true,
    )
    await opened.at(-1)?.close()
    ageCaches(path.join(somebody.cacheFolder, 'library'))
    expect(await open(somebody).all(true)).toEqual(right)
  })

  it('still tells which conversations are gone', async () => {
    const somebody = person()
    const rows = await open(somebody).all(true)
    await opened.at(-1)?.close()
    ageCaches(path.join(somebody.cacheFolder, 'library'))
    const [file = '', key = LibraryKey.parse('cycod:none')] = [somebody.files[0], somebody.keys[0]]
    fs.rmSync(path.join(somebody.history, file))
    const library = open(somebody)
    const title = rows.find((row) => row.key === key)?.title
    expect(await library.find(key)).toMatchObject({ title, gone: true })
  })
})

describe('the cache of families by older decoders', () => {
  async function relativesOf({ root, keys, ...places }: ReturnType<typeof person>) {
    const home = path.join(root, 'home')
    const changed = () => undefined
    const families = openFamilies({ ...places, home, disk: nodeDisk, changed })
    await families.settled()
    const views = []
    for (const key of keys) views.push((await families.family(key)).view)
    await families.close()
    return views
  }

  it('is not used: conversations are read again to know their relatives', async () => {
    const somebody = person()
    const right = await relativesOf(somebody)
    expect(right.some((view) => view !== null)).toBe(true)
    const folder = path.join(somebody.cacheFolder, 'families')
    const unknown = (text: string) =>
      text.replaceAll(/"signs":\[[^\]]*\]/g, '"signs":[]').replaceAll('true', 'false')
    rewrite(folder, /kin\.json$/, unknown)
    // Under our version it would be believed.
    expect((await relativesOf(somebody)).every((view) => view === null)).toBe(true)
    ageCaches(folder)
    expect(await relativesOf(somebody)).toEqual(right)
  })
})
