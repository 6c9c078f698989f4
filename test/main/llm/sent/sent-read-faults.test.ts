import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Disk } from '../../../../src/main/disk/interface/disk'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import { openSentReader } from '../../../../src/main/llm/sent/sent-reader'
import { readExcerpt } from '../../../../src/main/llm/titles/excerpt'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { EntryId } from '../../../../src/shared/model/conversation/entry'
import { message } from '../../../support/entries'
import { atEveryReading, readFaults } from '../../../support/read-faults'
import { memoryFolder } from '../../../support/temp-folder'

let home = ''
let answerId: EntryId
let ownId: EntryId

function storeAt(disk: Disk) {
  const policy = { ...defaultRotationPolicy, maxEntries: 3 }
  return openStore({ home, disk, storagePolicy: async () => policy })
}

/** Questions and answers in three partitions, with notes beside them. */
beforeAll(async () => {
  home = fs.mkdtempSync(path.join(memoryFolder, 'skein-base-'))
  const writer = await storeAt(nodeDisk).openWriter('garden', { create: true })
  for (let n = 1; n <= 4; n++) {
    const asked = await writer.append(message(`question ${n}`, { role: 'user' }))
    const metadata = { model: 'some/model' }
    const said = { from: 'garden', to: 'user', role: 'agent' as const, metadata }
    const { entry } = await writer.append(message(`answer ${n}`, said))
    if (n === 2) ownId = asked.entry.id
    if (n === 3) answerId = entry.id
  }
  await writer.close()
  fs.writeFileSync(path.join(home, 'contexts/garden/todos.md'), 'Dig.')
  fs.writeFileSync(path.join(home, 'contexts/garden/system_prompt.md'), 'You garden.')
  return () => fs.rmSync(home, { recursive: true, force: true })
})

function sentReader(disk: Disk) {
  const settings = openSettings({
    disk: nodeDisk,
    home,
    folder: path.join(home, 'none'),
    vault: environmentVault,
    environment: {},
  })
  return openSentReader({
    disk,
    home,
    runSettings: (context) => settings.runSettings(context),
    endpoint: (context) => settings.endpoint(context),
  })
}

describe.each(readFaults)('with $errno at any reading', (plan) => {
  it('the time machine tells the same request, or what it could not read, or refuses', async () => {
    const sound = await sentReader(nodeDisk).of('garden', answerId)
    let said = 0
    const { calls, refused } = await atEveryReading(
      plan,
      (disk) => sentReader(disk).of('garden', answerId),
      (outcome) => {
        if ('refused' in outcome)
          return expect(outcome.refused).toMatchObject({ code: 'unreadable' })
        const { notes, ...sent } = outcome.made
        if (notes.some((note) => note.includes('injected'))) {
          said += 1
          return
        }
        expect({ notes, ...sent }).toEqual(sound)
      },
    )
    expect(calls).toBeGreaterThan(plan.only === 'open' ? 10 : 30)
    expect(said + refused).toBeGreaterThan(5)
  })

  it('what a title is made of is the same, or refused', async () => {
    const excerpt = (disk: Disk) => {
      const histories = openHistories(disk, [])
      const transcripts = openTranscripts({ disk, store: storeAt(disk), histories })
      const { signal } = new AbortController()
      return readExcerpt(transcripts, LibraryKey.parse('garden'), ownId, signal)
    }
    const sound = await excerpt(nodeDisk)
    expect(sound.beginning.map(({ text }) => text)[0]).toBe('question 2')
    const { calls, refused } = await atEveryReading(plan, excerpt, (outcome) => {
      if ('made' in outcome) return expect(outcome.made).toEqual(sound)
      expect(outcome.refused).toMatchObject({ code: 'unreadable' })
    })
    expect(calls).toBeGreaterThan(plan.only === 'open' ? 5 : 20)
    expect(refused).toBeGreaterThan(5)
  })
})
