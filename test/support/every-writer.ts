import fs from 'node:fs'
import path from 'node:path'
import { nodeDisk as disk } from '../../src/main/disk/node/node-disk'
import { writePieces } from '../../src/main/disk/writing/write-pieces'
import { createFileVault } from '../../src/main/settings/stored/key-vault'
import { openSettingsFile } from '../../src/main/settings/stored/settings-file'
import { rewriteText } from '../../src/main/settings/toml/rewrite-text'
import { contextPaths, homePaths } from '../../src/main/store/core/home-paths'
import { defaultRotationPolicy } from '../../src/main/store/core/manifest'
import { openStore } from '../../src/main/store/open-store'
import { keepDamagedBytes } from '../../src/main/store/registry/known-contexts'
import { updateTitles } from '../../src/main/store/registry/titles'
import { keepImages } from '../../src/main/store/texts/attachments'
import { logRequest } from '../../src/main/store/texts/request-log'
import { keepOutput } from '../../src/main/tools/files/kept-output'
import { inboxSender } from '../../src/main/tools/messages'
import { message } from './entries'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const nowSeconds = () => Math.floor(Date.now() / 1000)

/**
 * Has everything written that Skein writes, some of it twice: below a home, where contexts are begun, rotated, branched,
 * cleared, renamed and put away, and below the user's own folder.
 */
export async function writeEverything(home: string, user: string): Promise<void> {
  const policy = { ...defaultRotationPolicy, maxEntries: 3 }
  const store = openStore({ home, disk, storagePolicy: async () => policy })
  const isThere = (await store.findContext('garden')) !== undefined
  for (const create of [!isThere, false]) {
    const writer = await store.openWriter('garden', { create })
    for (let n = 0; n < 4; n++) {
      const draft = message(`words ${n}`, { timestamp: nowSeconds() })
      const partial = await writer.startPartial(draft)
      partial.update('wo')
      while (!fs.existsSync(contextPaths(home, 'garden').partial))
        await new Promise((resolve) => setImmediate(resolve))
      await writer.append(draft)
      await partial.discard()
    }
    await writer.close()
    const place = { disk, home, context: 'garden' }
    await keepImages(place, [{ name: 'a.png', bytes: png }])
    await keepOutput(place, 'read', { n: create }, 'an output', 1)
    await logRequest(disk, home, 'garden', 1, { model: 'none' }, (text) => text)
    const sent = { from: 'a', to: 'garden', content: 'hello' }
    await inboxSender(disk, home, Date.now)(sent, new AbortController().signal)
    const before = await store.contexts.readText('garden', 'todos.md')
    await store.contexts.writeText('garden', 'todos.md', `${before ?? ''}- water\n`, before)
    await store.contexts.clear('garden', { withPage: true })
    await store.contexts.setArchived('garden', create)
    await updateTitles(
      disk,
      homePaths(home).titles,
      () => new Map([['chibi:garden', { title: `T${create}`, by: 'person', at: 1 }]]),
    )
    await keepDamagedBytes(disk, homePaths(home).state, 'damaged')
    await rewriteText(disk, path.join(home, 'local.toml'), (text) => `${text}# a line\n`)
    await openSettingsFile(disk, user).change({ model: `m${create}` })
    await createFileVault({ disk, file: path.join(user, 'keys'), cipher }).set(
      'https://example.org/v1',
      `k${create}`,
    )
  }
  if (!isThere) {
    const entries = Array.from({ length: 7 }, (_, n) => message(`copy ${n}`))
    const beginning = { metadata: {}, entries, files: new Map([['system_prompt.md', 'be brief']]) }
    const branch = await store.openWriter('branch', { create: true, beginning })
    await branch.close()
  }
  // The last words stand in an active partition: the one before may have become full right now.
  const { active } = contextPaths(home, 'garden')
  const writer = await store.openWriter('garden', { create: false })
  do await writer.append(message('the last words', { timestamp: nowSeconds() }))
  while ((await disk.stat(active)) === undefined)
  await writer.close()
  await store.contexts.rename('garden', 'allotment')
  await store.contexts.rename('allotment', 'garden')
}

/** Saves a file as an export is saved, and another over it. */
export async function writeExport(file: string): Promise<void> {
  for (const text of ['one', 'two'])
    await writePieces(
      disk,
      file,
      (async function* () {
        yield text
      })(),
      'umask',
    )
}

const cipher = {
  strength: () => 'strong' as const,
  encrypt: (text: string) => Buffer.from(text),
  decrypt: (bytes: Uint8Array) => Buffer.from(bytes).toString(),
}
